import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PageToken, subjectOf, TokenFault } from '../../../../src/widget/transport/page-token.ts';
import { bearer } from '../../../../src/widget/transport/signalr/hub-requests.ts';
import { makeToken } from '../../../support/tokens.ts';

function tokenOf(provider: () => unknown): PageToken {
  const token = new PageToken();
  token.use(provider);
  return token;
}

describe('the token of the page’s user (contract/widget.md#who-is-signed-in)', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  // proves service-2.20-01
  it('is asked for anew each time, and only then', async () => {
    const provider = vi.fn(async () => `t${String(provider.mock.calls.length)}`);
    const token = tokenOf(provider);
    expect(provider).not.toHaveBeenCalled();
    expect([await token.read(), await token.read(), token.latest]).toEqual(['t1', 't2', 't2']);
    expect(await token.headers()).toEqual({ Authorization: 'Bearer t3' });
  });

  it.each([
    ['no function was given', null],
    ['it gives null', () => null],
    ['it gives undefined', () => undefined],
    ['it gives an empty text', async () => ''],
  ])('the user is anonymous when %s', async (_title, provider) => {
    const token = new PageToken();
    token.use(provider);
    expect(await token.read()).toBe('');
    expect(await token.headers()).toEqual({});
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('secret.token.inside');
      },
    ],
    ['rejects', () => Promise.reject(new Error('secret.token.inside'))],
    ['gives an object', () => ({ token: 'secret.token.inside' })],
    ['gives a number', () => 5],
    ['gives a header', () => 'Bearer secret.token.inside'],
    ['gives a second header', () => 'secret\r\nx-evil: 1'],
    ['gives something else than ASCII', () => 'sécret'],
  ])('a function that %s is a fault, which says nothing of what it gave', async (_title, provider) => {
    const fault: unknown = await tokenOf(provider)
      .read()
      .catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(TokenFault);
    expect(String(fault)).not.toMatch(/s[eé]cret/);
    expect((fault as TokenFault).cause).toBeUndefined();
  });

  it('a function that hangs is a fault after ten seconds', async () => {
    const read = tokenOf(() => new Promise(() => undefined)).read();
    const settled = vi.fn();
    void read.catch(settled);
    await vi.advanceTimersByTimeAsync(9_999);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(settled).toHaveBeenCalledWith(expect.any(TokenFault));
  });

  it('what a replaced function says late is nobody’s token', async () => {
    const gate = Promise.withResolvers<string>();
    const token = tokenOf(() => gate.promise);
    const read = token.read();
    token.use(() => 'new.user');
    gate.resolve('old.user');
    expect(await read).toBe('new.user');
    expect(token.latest).toBe('new.user');
  });

  it('a function that replaces itself whenever it is asked is a fault, not a loop', async () => {
    const token = new PageToken();
    const provider = (): string => {
      token.use(() => provider());
      return 'a.b.c';
    };
    token.use(provider);
    await expect(token.read()).rejects.toThrow(TokenFault);
  });

  it('is forgotten with its function', async () => {
    const token = tokenOf(() => 'a.b.c');
    await token.read();
    token.use(null);
    expect(token.latest).toBe('');
    expect(bearer(token.latest)).toEqual({});
  });

  it('tells users apart by whom it is about, and nothing else', async () => {
    vi.useRealTimers();
    const ann = subjectOf(await makeToken({ sub: 'änn', role: 'Clerk' }));
    expect(subjectOf(await makeToken({ sub: 'änn', role: 'Boss' }, { expiresAt: 2_000_000_000 }))).toBe(ann);
    expect(subjectOf(await makeToken({ sub: 'bob' }))).not.toBe(ann);
    expect(['', 'opaque', 'a.b.c', 'a.bnVsbA.c'].map(subjectOf)).toEqual(['', '', '', '']);
  });
});
