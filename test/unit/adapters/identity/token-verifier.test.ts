import { createHmac, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openTokenVerifier, type TokenSettings } from '../../../../src/adapters/identity/open-token-verifier.ts';
import { recordingLogger, recordingMetrics } from '../../../support/quiet.ts';
import { makeToken, rsaKeyPair, tokenSecret, unsignedToken } from '../../../support/tokens.ts';

const nobody: TokenSettings = {
  secret: null,
  publicKeyFile: null,
  jwksUrl: null,
  discovery: null,
  issuers: [],
  audiences: [],
  clients: [],
  clientsOfProject: false,
  tenants: [],
  withoutTenants: [],
  tenantClaim: undefined,
  entry: 0,
  algorithms: [],
  clockTolerance: 30_000,
};
const bySecret: TokenSettings = { ...nobody, secret: tokenSecret };
const pair = rsaKeyPair('one');
const pem = pair.publicKey.export({ format: 'pem', type: 'spki' });
const stranger = rsaKeyPair('one');
const strangersPem = stranger.publicKey.export({ format: 'pem', type: 'spki' });
const now = Math.floor(Date.now() / 1000);
const annsClaims = { sub: 'ann', exp: now + 60 };

/** A token that is signed with the secret. Its content may be one that no issuer's library would write. */
function craftedToken(header: object, claims: unknown): string {
  const parts = [{ alg: 'HS256', typ: 'JWT', ...header }, claims];
  const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${signed}.${createHmac('sha256', tokenSecret).update(signed).digest('base64url')}`;
}

function open(settings: TokenSettings, clock: () => number = Date.now) {
  return openTokenVerifier(settings, { log: recordingLogger(), metrics: recordingMetrics(), now: clock });
}

function keyFile(content: string | Buffer): string {
  const directory = mkdtempSync(join(tmpdir(), 'helper-key-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  writeFileSync(join(directory, 'key.pem'), content);
  return join(directory, 'key.pem');
}

describe('a token (contract/identity.md#tokens, `auth.jwt`)', () => {
  it('signed with the secret is believed', async () => {
    const token = await makeToken({ sub: 'ann', role: 'Supervisor' }, { expiresAt: now + 60 });
    const verified = await open(bySecret).verify(token);
    expect(verified.claims).toMatchObject({ sub: 'ann', role: 'Supervisor' });
    expect(verified.expiresAt).toBe((now + 60) * 1000 + 30_000);
  });

  // proves configuration-4-01
  it('signed with any secret of a list is believed, and its end and audience are looked at all the same', async () => {
    const newSecret = `the secret that comes after ${tokenSecret}`;
    const rotating = open({ ...bySecret, secret: [newSecret, tokenSecret], audiences: ['helper'] });
    for (const key of [newSecret, tokenSecret]) {
      const signed = (claims: object, expiresAt = now + 60): Promise<string> =>
        makeToken({ sub: 'ann', aud: 'helper', ...claims }, { key, expiresAt, algorithm: 'HS512' });
      expect((await rotating.verify(await signed({}))).claims).toMatchObject({ sub: 'ann' });
      await expect(rotating.verify(await signed({}, now - 100))).rejects.toThrow('The token has expired.');
      await expect(rotating.verify(await signed({ aud: 'shop' }))).rejects.toThrow('The token is not valid.');
    }
    const forged = await makeToken({ sub: 'ann', aud: 'helper' }, { key: `${newSecret}!` });
    await expect(rotating.verify(forged)).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('signed with the private key of publicKeyFile is believed', async () => {
    const token = await makeToken({ sub: 'ann' }, { key: pair.privateKey, algorithm: 'PS256' });
    const verifier = open({ ...nobody, publicKeyFile: keyFile(pem) });
    expect((await verifier.verify(token)).claims).toMatchObject({ sub: 'ann' });
  });

  it.each<[string, TokenSettings, () => string | Promise<string>]>([
    ['forged with another secret', bySecret, () => makeToken({ sub: 'ann' }, { key: `${tokenSecret}!` })],
    ['expired longer ago than clockTolerance', bySecret, () => makeToken({ sub: 'ann' }, { expiresAt: now - 31 })],
    ['without an end', bySecret, () => makeToken({ sub: 'ann' }, { expiresAt: null })],
    ['not yet in force', bySecret, () => makeToken({ sub: 'ann', nbf: now + 60 })],
    [
      'for another audience',
      { ...bySecret, audiences: ['helper'] },
      () => makeToken({ sub: 'ann' }, { audience: 'shop' }),
    ],
    [
      'for no audience, where one is asked for',
      { ...bySecret, audiences: ['helper'] },
      () => makeToken({ sub: 'ann' }),
    ],
    ['of an algorithm left out of algorithms', { ...bySecret, algorithms: ['HS512'] }, () => makeToken({ sub: 'ann' })],
    // proves configuration-4-03
    ['without a signature (alg: none)', bySecret, () => unsignedToken({ sub: 'ann', exp: now + 60 })],
    ['larger than 16 KiB', bySecret, () => makeToken({ sub: 'ann', filler: 'x'.repeat(13_000) })],
    ['of a lifetime that is no number', bySecret, () => craftedToken({}, { sub: 'ann', exp: `${now + 60}` })],
    ['of a lifetime in a list', bySecret, () => craftedToken({}, { sub: 'ann', exp: [now + 60] })],
    ['that ended before time began', bySecret, () => craftedToken({}, { sub: 'ann', exp: -1 })],
    ['in force from a text on', bySecret, () => craftedToken({}, { ...annsClaims, nbf: 'now' })],
    ['made at no time', bySecret, () => craftedToken({}, { ...annsClaims, iat: 'now' })],
    ['with claims in a list', bySecret, () => craftedToken({}, [annsClaims])],
    [
      'with an extension that must be understood',
      bySecret,
      () => craftedToken({ crit: ['exp2'], exp2: 1 }, annsClaims),
    ],
    ['with an empty list of extensions', bySecret, () => craftedToken({ crit: [] }, annsClaims)],
    ['whose claims are not encoded', bySecret, () => craftedToken({ b64: false, crit: ['b64'] }, annsClaims)],
    ['of no algorithm', bySecret, () => craftedToken({ alg: undefined }, annsClaims)],
    ['of a list of algorithms', bySecret, () => craftedToken({ alg: ['HS256'] }, annsClaims)],
    ['that is followed by more', bySecret, async () => `${await makeToken({ sub: 'ann' })}.x`],
    [
      'in two, as lists of tokens are',
      bySecret,
      async () => `${await makeToken({ sub: 'ann' })},${await makeToken({ sub: 'bob' })}`,
    ],
    ['that is no token', bySecret, () => 'a.b.c'],
    ['that is empty', bySecret, () => ''],
  ])('%s is unauthenticated', async (_title, settings, token) => {
    await expect(open(settings).verify(await token())).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it.each([
    ['an embedded key', { jwk: stranger.jwk }],
    ['the address of a key set', { jku: 'https://evil.example/keys' }],
    ['the address of a certificate', { x5u: 'https://evil.example/cert.pem' }],
    ['a certificate', { x5c: [Buffer.from(strangersPem).toString('base64')] }],
    ['a key id that is a path', { kid: '../../../../dev/null' }],
  ])('signed by a stranger is unauthenticated, and %s in its header is not looked at', async (_title, header) => {
    const asked = vi.spyOn(globalThis, 'fetch');
    onTestFinished(() => {
      asked.mockRestore();
    });
    const verifier = open({ ...nobody, publicKeyFile: keyFile(pem) });
    const forged = new SignJWT({ sub: 'ann', exp: now + 60 }).setProtectedHeader({ alg: 'RS256', ...header });
    const token = await forged.sign(stranger.privateKey);
    await expect(verifier.verify(token)).rejects.toMatchObject({ code: 'unauthenticated' });
    const own = new SignJWT({ sub: 'ann', exp: now + 60 }).setProtectedHeader({ alg: 'RS256', ...header });
    expect((await verifier.verify(await own.sign(pair.privateKey))).claims).toMatchObject({ sub: 'ann' });
    expect(asked).not.toHaveBeenCalled();
  });

  // proves configuration-4-03
  it('signed with the public key as a secret is unauthenticated (key confusion)', async () => {
    const verifier = open({ ...nobody, publicKeyFile: keyFile(pem) });
    const token = await makeToken({ sub: 'ann' }, { key: String(pem), algorithm: 'HS256' });
    await expect(verifier.verify(token)).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('within clockTolerance of its end still counts', async () => {
    const token = await makeToken({ sub: 'ann' }, { expiresAt: now - 20 });
    expect((await open(bySecret).verify(token)).claims).toMatchObject({ sub: 'ann' });
  });

  it('tells the caller that it has expired, and nothing else of what is wrong', async () => {
    const verifier = open({ ...bySecret, audiences: ['helper'] });
    await expect(verifier.verify(await makeToken({}, { expiresAt: now - 100, audience: 'helper' }))).rejects.toThrow(
      'The token has expired.',
    );
    await expect(verifier.verify(await makeToken({}, { audience: 'shop' }))).rejects.toThrow('The token is not valid.');
  });

  it('once believed is not believed past its end', async () => {
    let time = now * 1000;
    const verifier = open({ ...bySecret, clockTolerance: 0 }, () => time);
    const token = await makeToken({ sub: 'ann' }, { expiresAt: now + 60 });
    const first = await verifier.verify(token);
    time += 59_000;
    expect(await verifier.verify(token)).toBe(first);
    time += 1000;
    await expect(verifier.verify(token)).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('is looked at anew after five minutes', async () => {
    let time = now * 1000;
    const verifier = open(bySecret, () => time);
    const token = await makeToken({ sub: 'ann' });
    const first = await verifier.verify(token);
    time += 5 * 60_000;
    expect(await verifier.verify(token)).not.toBe(first);
  });
});

describe('settings of auth.jwt that cannot be used (contract/identity.md#tokens)', () => {
  const shortKey = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey;
  const secp256k1 = generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey;
  it.each([
    [
      'a symmetric algorithm with a public key',
      'algorithms',
      () => ({ publicKeyFile: keyFile(pem), algorithms: ['HS256'] }),
    ],
    [
      'a symmetric algorithm with an issuer',
      'algorithms',
      () => ({ discovery: 'https://a.example', algorithms: ['HS256'] }),
    ],
    ['an asymmetric algorithm with a secret', 'algorithms', () => ({ secret: tokenSecret, algorithms: ['RS256'] })],
    ['none', 'algorithms', () => ({ secret: tokenSecret, algorithms: ['none'] })],
    [
      'a private key',
      'publicKeyFile',
      () => ({
        publicKeyFile: keyFile(pair.privateKey.export({ format: 'pem', type: 'pkcs8' })),
      }),
    ],
    [
      'an RSA key that is too short to be safe',
      'publicKeyFile',
      () => ({ publicKeyFile: keyFile(shortKey.export({ format: 'pem', type: 'spki' })) }),
    ],
    ['a file that is no key', 'publicKeyFile', () => ({ publicKeyFile: keyFile('nothing') })],
    ['a file that does not exist', 'publicKeyFile', () => ({ publicKeyFile: '/nowhere/key.pem' })],
    [
      'a key that signs no tokens',
      'publicKeyFile',
      () => ({
        publicKeyFile: keyFile(secp256k1.export({ format: 'pem', type: 'spki' })),
      }),
    ],
  ] as const)('%s', (_title, setting, settings) => {
    expect(() => open({ ...nobody, ...settings() })).toThrow(expect.objectContaining({ setting }));
  });
});
