import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PageToken } from '../../../../src/widget/transport/page-token.ts';
import { renewalDelay, TokenRenewal } from '../../../../src/widget/transport/token-renewal.ts';

const hubUrl = 'https://assist.example/helper-hub';

/** A renewal whose server is the test. */
function renewal(provider: () => unknown = () => 'fresh'): {
  requests: { url: string; token: string | undefined }[];
  answers: (number | Error)[];
  others: () => number;
  renewal: TokenRenewal;
} {
  const requests: { url: string; token: string | undefined }[] = [];
  const answers: (number | Error)[] = [];
  let others = 0;
  vi.stubGlobal('fetch', async (url: string, { headers }: { headers: Record<string, string> }) => {
    requests.push({ url, token: headers['Authorization'] });
    const answer = answers.shift() ?? 200;
    if (answer instanceof Error) throw answer;
    return Response.json(answer === 200 ? { tokenLifetimeSeconds: 900 } : {}, { status: answer });
  });
  const token = new PageToken();
  token.use(provider);
  return { requests, answers, others: () => others, renewal: new TokenRenewal(hubUrl, token, () => (others += 1)) };
}

const minute = 60_000;

describe('renewing the token of an open connection (wire.md 3, /refresh)', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it.each([
    ['a minute before its end', 15 * minute, 14 * minute],
    ['after three quarters of a short one', 40_000, 30_000],
    ['not at all when it ends at once', 3999, null],
    ['within a day, since timers reach no further than weeks', 1e12, 86_400_000],
  ])('happens %s', (_title, lifetimeMs, delay) => {
    expect(renewalDelay(lifetimeMs)).toBe(delay);
  });

  it('goes on as long as the connection, with a token asked for each time', async () => {
    let count = 0;
    const { requests, renewal: renewed } = renewal(() => `t${String((count += 1))}`);
    renewed.begin({ connectionToken: 'k+1', lifetimeMs: 2 * minute });
    await vi.advanceTimersByTimeAsync(1.5 * minute);
    expect(requests).toEqual([{ url: `${hubUrl}/refresh?id=k%2B1`, token: 'Bearer t1' }]);
    await vi.advanceTimersByTimeAsync(14 * minute);
    expect(requests.map(({ token }) => token)).toEqual(['Bearer t1', 'Bearer t2']);
    renewed.end();
    await vi.advanceTimersByTimeAsync(60 * minute);
    expect(requests).toHaveLength(2);
  });

  it('is tried again before the end when it fails, and never endlessly', async () => {
    const { requests, answers, others, renewal: renewed } = renewal();
    answers.push(new Error('offline'), 401, 503, new Error('offline'), 401, 503, 401);
    renewed.begin({ connectionToken: 'k1', lifetimeMs: 2 * minute });
    await vi.advanceTimersByTimeAsync(2 * minute);
    expect(requests.length).toBeGreaterThanOrEqual(3);
    expect(requests.length).toBeLessThanOrEqual(5);
    await vi.advanceTimersByTimeAsync(60 * minute);
    expect(requests.length).toBeLessThanOrEqual(5);
    expect(others()).toBe(0);
  });

  it('tells when the server says that the token is another user’s', async () => {
    const { answers, others, renewal: renewed } = renewal();
    answers.push(404);
    renewed.begin({ connectionToken: 'k1', lifetimeMs: 2 * minute });
    await vi.advanceTimersByTimeAsync(1.5 * minute);
    expect(others()).toBe(1);
  });

  it('what comes back for a connection that is over counts for no other', async () => {
    const { answers, others, renewal: renewed } = renewal();
    answers.push(404);
    renewed.begin({ connectionToken: 'k1', lifetimeMs: 2 * minute });
    const answer = renewed.renew();
    renewed.begin({ connectionToken: 'k2', lifetimeMs: 2 * minute });
    expect(await answer).toBe('renewed');
    expect(others()).toBe(0);
  });

  it('asks nothing while the token has no end', async () => {
    const { requests, renewal: renewed } = renewal();
    renewed.begin({ connectionToken: 'k1', lifetimeMs: null });
    await vi.advanceTimersByTimeAsync(24 * 60 * minute);
    expect(requests).toEqual([]);
  });
});
