import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PageToken } from '../../../../src/widget/transport/page-token.ts';
import {
  renewalDelay,
  TokenRenewal,
  type TokenRenewalOptions,
} from '../../../../src/widget/transport/token-renewal.ts';

const hubUrl = 'https://assist.example/helper-hub';

/** A renewal whose server is the test. */
function renewal(provider: () => unknown = () => 'fresh'): {
  requests: { url: string; token: string | undefined }[];
  answers: (number | Error)[];
  unknown: () => number;
  /** A connection begins. */
  begin: (connectionToken: string, lifetimeMs: number | null) => void;
  renewal: TokenRenewal;
} {
  const requests: { url: string; token: string | undefined }[] = [];
  const answers: (number | Error)[] = [];
  let unknown = 0;
  vi.stubGlobal('fetch', async (url: string, { headers }: { headers: Record<string, string> }) => {
    requests.push({ url, token: headers['Authorization'] });
    const answer = answers.shift() ?? 200;
    if (answer instanceof Error) throw answer;
    return Response.json(answer === 200 ? { tokenLifetimeSeconds: 900 } : {}, { status: answer });
  });
  const token = new PageToken();
  token.use(provider);
  let negotiated: ReturnType<TokenRenewalOptions['negotiated']> = null;
  const renewed = new TokenRenewal({ hubUrl, token, negotiated: () => negotiated, onUnknown: () => (unknown += 1) });
  const begin = (connectionToken: string, lifetimeMs: number | null): void => {
    negotiated = { connectionToken, lifetimeMs };
    renewed.begin();
  };
  return { requests, answers, unknown: () => unknown, begin, renewal: renewed };
}

const minute = 60_000;

describe('renewing the token of an open connection (contract/identity.md#tokens, /refresh)', () => {
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
    const { requests, begin, renewal: renewed } = renewal(() => `t${String((count += 1))}`);
    begin('k+1', 2 * minute);
    await vi.advanceTimersByTimeAsync(1.5 * minute);
    expect(requests).toEqual([{ url: `${hubUrl}/refresh?id=k%2B1`, token: 'Bearer t1' }]);
    await vi.advanceTimersByTimeAsync(14 * minute);
    expect(requests.map(({ token }) => token)).toEqual(['Bearer t1', 'Bearer t2']);
    renewed.end();
    await vi.advanceTimersByTimeAsync(60 * minute);
    expect(requests).toHaveLength(2);
  });

  it('is tried again before the end when it fails, and never endlessly', async () => {
    const { requests, answers, unknown, begin } = renewal();
    answers.push(new Error('offline'), 401, 503, new Error('offline'), 401, 503, 401);
    begin('k1', 2 * minute);
    await vi.advanceTimersByTimeAsync(2 * minute);
    expect(requests.length).toBeGreaterThanOrEqual(3);
    expect(requests.length).toBeLessThanOrEqual(5);
    await vi.advanceTimersByTimeAsync(60 * minute);
    expect(requests.length).toBeLessThanOrEqual(5);
    expect(unknown()).toBe(0);
  });

  it('tells when the server has no such connection of that user', async () => {
    const { answers, unknown, begin } = renewal();
    answers.push(404);
    begin('k1', 2 * minute);
    await vi.advanceTimersByTimeAsync(1.5 * minute);
    expect(unknown()).toBe(1);
  });

  it('what comes back for a connection that is over counts for no other', async () => {
    const { answers, unknown, begin, renewal: renewed } = renewal();
    answers.push(404);
    begin('k1', 2 * minute);
    const answer = renewed.renew();
    begin('k2', 2 * minute);
    expect(await answer).toBe('renewed');
    expect(unknown()).toBe(0);
  });

  it('a connection that has ended meanwhile was the user’s own: nothing is told', async () => {
    const { answers, unknown, begin, renewal: renewed } = renewal();
    answers.push(404);
    begin('k1', 2 * minute);
    vi.advanceTimersByTime(1.5 * minute);
    renewed.end();
    await vi.advanceTimersByTimeAsync(minute);
    expect(unknown()).toBe(0);
  });

  it('a failure that comes back after the connection has ended is not followed by another try', async () => {
    const { requests, answers, begin, renewal: renewed } = renewal();
    answers.push(new Error('offline'));
    begin('k1', 2 * minute);
    vi.advanceTimersByTime(1.5 * minute);
    renewed.end();
    await vi.advanceTimersByTimeAsync(60 * minute);
    expect(requests).toHaveLength(1);
  });

  it('asks nothing while the token has no end', async () => {
    const { requests, begin } = renewal();
    begin('k1', null);
    await vi.advanceTimersByTimeAsync(24 * 60 * minute);
    expect(requests).toEqual([]);
  });
});
