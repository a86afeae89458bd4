import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { publicKeyAlgorithms } from '../../../../src/adapters/identity/jwt-algorithms.ts';
import { JwtVerifier } from '../../../../src/adapters/identity/jwt-verifier.ts';
import { RemoteKeys } from '../../../../src/adapters/identity/remote-keys.ts';
import { recordingLogger, recordingMetrics } from '../../../support/quiet.ts';
import { type KeyPair, makeToken, rsaKeyPair } from '../../../support/tokens.ts';

const shortKey = generateKeyPairSync('rsa', { modulusLength: 1024 });
const [one, two] = [rsaKeyPair('one'), rsaKeyPair('two')];

/** An issuer that the test plays: its keys, whether it answers, and how often it was asked. */
function issuer(...published: KeyPair[]) {
  const state = { published, isDown: false, reads: 0, time: Date.now() };
  const log = recordingLogger();
  const metrics = recordingMetrics();
  const now = (): number => state.time;
  const keys = new RemoteKeys(
    async () => {
      state.reads += 1;
      if (state.isDown) throw new Error('connection refused');
      return { keySet: { keys: state.published.map(({ jwk }) => jwk) }, issuers: [] };
    },
    { log, metrics, now },
  );
  const verifier = new JwtVerifier({
    keys: [keys.find],
    algorithms: publicKeyAlgorithms,
    ...{
      issuers: [],
      audiences: [],
      clients: [],
      clientsOfProject: false,
      tenants: [],
      withoutTenants: [],
      tenantClaim: undefined,
      entry: 0,
    },
    clockToleranceMs: 0,
    now,
    log,
  });
  return {
    state,
    log,
    metrics,
    close: () => keys.close(),
    verify: async (token: string) => (await verifier.verify(token)).claims['sub'],
  };
}

function signed(pair: KeyPair, kid?: string): Promise<string> {
  const expiresAt = Math.floor(Date.now() / 1000) + 86_400;
  return makeToken(
    { sub: 'ann' },
    { key: pair.privateKey, algorithm: 'RS256', expiresAt, ...(kid === undefined ? {} : { kid }) },
  );
}

describe('the keys of an issuer (contract/identity.md#tokens)', () => {
  it('are read once for many tokens', async () => {
    const { verify, state } = issuer(one);
    const token = await signed(one, 'one');
    expect(await Promise.all([verify(token), verify(token), verify(token)])).toEqual(['ann', 'ann', 'ann']);
    expect(state.reads).toBe(1);
  });

  // proves configuration-4-04
  it('are read again for an unknown kid, at most once a minute however many tokens come', async () => {
    const { verify, state } = issuer(one);
    await verify(await signed(one, 'one'));
    state.time += 60_000;
    const strangers = await Promise.all(Array.from({ length: 50 }, (_, index) => signed(two, `kid-${String(index)}`)));
    for (const stranger of strangers) await expect(verify(stranger)).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(state.reads).toBe(2);
    state.time += 59_999;
    await expect(verify(await signed(two, 'again'))).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(state.reads).toBe(2);
  });

  it('may be exchanged: a token of the new key is believed', async () => {
    const { verify, state } = issuer(one);
    await verify(await signed(one, 'one'));
    state.published = [two];
    state.time += 60_000;
    expect(await verify(await signed(two, 'two'))).toBe('ann');
    await expect(verify(await signed(one, 'one'))).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  // proves configuration-4-04, wire-6-39
  it('stay in use while the issuer is down', async () => {
    const { verify, state, log, metrics } = issuer(one);
    const token = await signed(one, 'one');
    await verify(token);
    state.isDown = true;
    state.time += 3_600_000;
    expect(await verify(token)).toBe('ann');
    await expect(verify(await signed(two, 'two'))).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(state.reads).toBe(2);
    expect(log.lines).toContainEqual(expect.objectContaining({ level: 'warn' }));
    expect(metrics.counted.filter(({ what }) => what === 'issuerFailed')).toHaveLength(1);
  });

  it('that a key was taken out of are noticed after ten minutes', async () => {
    const { verify, state } = issuer(one);
    const token = await signed(one, 'one');
    await verify(token);
    state.published = [two];
    state.time += 600_000;
    // This verification still uses the old keys. It starts the reading of the new ones.
    await verify(token);
    await expect.poll(() => state.reads).toBe(2);
    await expect(verify(token)).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('that were never had make every token wait; the server asks again by itself, whatever tokens come', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { verify, state } = issuer(one);
    state.isDown = true;
    const token = await signed(one, 'one');
    await expect(verify(token)).rejects.toMatchObject({ code: 'overloaded' });
    state.time += 59_999;
    await expect(verify(token)).rejects.toMatchObject({ code: 'overloaded' });
    expect(state.reads).toBe(1);
    await vi.advanceTimersByTimeAsync(5000);
    await vi.advanceTimersByTimeAsync(9999);
    expect(state.reads).toBe(2);
    state.isDown = false;
    await vi.advanceTimersByTimeAsync(1);
    expect(await verify(token)).toBe('ann');
    expect(state.reads).toBe(3);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(state.reads).toBe(3);
  });

  it('are asked for no more once the server closes', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { verify, state, close } = issuer(one);
    state.isDown = true;
    await expect(verify(await signed(one, 'one'))).rejects.toMatchObject({ code: 'overloaded' });
    close();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(state.reads).toBe(1);
  });

  it('are not asked for again by a reading that fails while the server closes', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { verify, state, close } = issuer(one);
    state.isDown = true;
    const refused = expect(verify(await signed(one, 'one'))).rejects.toMatchObject({ code: 'overloaded' });
    close();
    await refused;
    await vi.advanceTimersByTimeAsync(600_000);
    expect(state.reads).toBe(1);
  });

  it('are tried one after the other for a token that names none', async () => {
    const { verify } = issuer(one, two);
    expect(await verify(await signed(two))).toBe('ann');
    await expect(verify(await signed(rsaKeyPair('three')))).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it.each<[string, KeyPair['jwk']]>([
    ['is too short', { ...shortKey.publicKey.export({ format: 'jwk' }), kid: 'short', use: 'sig' }],
    ['is none', { kty: 'RSA', kid: 'broken', n: '!', e: 'AQAB' }],
  ])('that cannot be used are no hindrance to the others: one %s', async (_title, jwk) => {
    const { verify } = issuer({ ...one, jwk }, two);
    expect(await verify(await signed(two))).toBe('ann');
    expect(await verify(await signed(two, 'two'))).toBe('ann');
    const expired = await makeToken({ sub: 'ann' }, { key: two.privateKey, algorithm: 'RS256', expiresAt: 1_000_000 });
    await expect(verify(expired)).rejects.toThrow('The token has expired.');
  });

  it('that are too short sign nobody in', async () => {
    const jwk = { ...shortKey.publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig' };
    const { verify } = issuer({ ...one, jwk });
    const parts = [
      { alg: 'RS256', kid: 'one' },
      { sub: 'ann', exp: 4_000_000_000 },
    ];
    const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
    const signature = sign('sha256', Buffer.from(signed), shortKey.privateKey).toString('base64url');
    await expect(verify(`${signed}.${signature}`)).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('are no secrets: a symmetric key in the set is not used', async () => {
    const secret = Buffer.alloc(32, 1);
    const jwk = { kty: 'oct', k: secret.toString('base64url'), kid: 'one', alg: 'HS256' };
    const { verify } = issuer({ ...one, jwk });
    const token = await makeToken({ sub: 'ann' }, { key: secret.toString(), kid: 'one' });
    await expect(verify(token)).rejects.toMatchObject({ code: 'unauthenticated' });
  });
});
