import { createSecretKey } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../../src/cli/run-command.ts';
import { tokenSecret } from '../../support/tokens.ts';
import { minimal } from '../config/load-from-text.ts';
import { type FakeContext, fakeContext } from './fake-context.ts';

let folder: string;
let context: FakeContext;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'helper-token-'));
  context = fakeContext(folder);
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function token(jwt: string, ...words: string[]): Promise<number> {
  writeFileSync(join(folder, 'helper.yaml'), `${minimal}auth: { jwt: ${jwt} }\n`);
  return runCommand(['token', '--config', 'helper.yaml', ...words], context);
}

describe('helper token (contract/configuration.md#commands)', () => {
  // proves configuration-1-12
  it('signs a token with the user, the roles, the audience and an hour', async () => {
    const jwt = `{ secret: "${tokenSecret}", audience: shop, algorithms: [HS512], roleClaim: realm.roles }`;
    expect(await token(jwt, '--sub', 'ann', '--role', 'A', '--role', 'B')).toBe(0);
    const signed = context.written().trim();
    const claims = decodeJwt(signed);
    expect(claims).toMatchObject({ sub: 'ann', aud: 'shop', realm: { roles: ['A', 'B'] } });
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(3600);
    expect(decodeProtectedHeader(signed).alg).toBe('HS512');
  });

  it('takes another lifetime', async () => {
    expect(await token(`{ secret: "${tokenSecret}" }`, '--sub', 'ann', '--expires', '5m')).toBe(0);
    const { exp = 0, iat = 0 } = decodeJwt(context.written().trim());
    expect(exp - iat).toBe(300);
  });

  // proves configuration-4-01
  it('signs with the first of a list of secrets', async () => {
    const newSecret = 'the secret that is new and long enough';
    expect(await token(`{ secret: ["${newSecret}", "${tokenSecret}"] }`, '--sub', 'ann')).toBe(0);
    const key = createSecretKey(newSecret, 'utf8');
    expect((await jwtVerify(context.written().trim(), key)).payload.sub).toBe('ann');
  });

  it('says that only the issuer can sign where tokens are not checked with a secret', async () => {
    expect(await token('{ issuer: "https://login.example.com" }', '--sub', 'ann')).toBe(78);
    expect(context.complained()).toContain('auth.jwt.secret');
    expect(context.written()).toBe('');
  });

  it.each([
    [[], 'token needs the user'],
    [['--sub', 'ann', '--expires', 'soon'], '--expires "soon" is no duration'],
    [['--sub', 'ann', '--expires', '0'], '--expires "0" is no duration'],
  ])('refuses %j', async (words, complaint) => {
    expect(await token(`{ secret: "${tokenSecret}" }`, ...words)).toBe(64);
    expect(context.complained()).toContain(complaint);
  });
});
