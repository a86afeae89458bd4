import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { signTestToken } from '../../../src/app/sign-test-token.ts';
import { runCommand } from '../../../src/cli/run-command.ts';
import { makeToken, tokenSecret } from '../../support/tokens.ts';
import { minimal, settingsWith } from '../config/load-from-text.ts';
import { fakeContext } from './fake-context.ts';

/** Explains a token, and says what was printed. Nobody may be contacted. */
async function explain(jwt: unknown, token: string, { given = token, more = '' } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'helper-explain-'));
  const contacted = vi.spyOn(globalThis, 'fetch');
  onTestFinished(() => {
    contacted.mockRestore();
    rmSync(folder, { recursive: true });
  });
  writeFileSync(join(folder, 'helper.yaml'), `${minimal}auth: { jwt: ${JSON.stringify(jwt)} }\n${more}`);
  const context = fakeContext(folder, {}, `${token}\n`);
  const code = await runCommand(['token', '--config', 'helper.yaml', '--explain', given], context);
  expect(contacted).not.toHaveBeenCalled();
  return { code, text: context.written() + context.complained() };
}

const issuer = 'https://login.example.com';
const ours = { issuer, audience: ['desk', 'shop'], clients: 'web', roleClaim: ['realm_access.roles', 'scope'] };
const claims = { iss: issuer, aud: 'desk', azp: 'web', sub: 'ann', scope: 'read write' };

describe('helper token --explain (contract/configuration.md#commands)', () => {
  // proves configuration-4-50
  it('says whom a token signs in with which roles, and that the keys of the issuer stay unasked', async () => {
    const token = await makeToken({ ...claims, preferred_username: 'Ann' }, { algorithm: 'HS256' });
    const { code, text } = await explain({ ...ours, issuer: undefined, secret: tokenSecret }, token);
    expect(text).toMatch(/ok +signature +is by the key of the settings\n/);
    expect(text).toMatch(/ok +user +"id:ann", shown as "Ann"\n/);
    expect(text).toMatch(/- +roles +\["read","write"\], by realm_access\.roles, scope\n/);
    expect(code).toBe(0);
    const remote = await explain(ours, token);
    expect(remote.text).toMatch(/- +signature +is not looked at: its keys lie at https:\/\/login\.example\.com\n/);
    expect(remote.text).toMatch(/FAILS +algorithm +alg "HS256" is not one of RS256/);
  });

  // proves configuration-4-50
  it.each<[string, object, RegExp]>([
    [
      'another issuer',
      { iss: 'https://evil.example.com' },
      /FAILS +issuer +iss "https:\/\/evil\.example\.com" is not "https:\/\/login\.example\.com"\n/,
    ],
    ['another audience', { aud: 'wiki' }, /FAILS +audience +aud "wiki" is not "desk" or "shop"\n/],
    ['another client', { azp: 'wiki' }, /FAILS +client +azp "wiki" is not "web"\n/],
    ['its end', { exp: 1_000_000 }, /FAILS +end +exp was 1970-01-12T13:46:40\.000Z\n/],
    ['no end', { exp: undefined }, /FAILS +end +exp is missing/],
    ['its beginning', { nbf: 4_000_000_000 }, /FAILS +beginning +nbf is 2096-10-02T07:06:40\.000Z\n/],
    ['words for a terminal', { azp: '\u001b[2J' }, /FAILS +client +azp "\\u001b\[2J" is not "web"\n/],
  ])('names the rule that a token fails: %s', async (_title, changed, line) => {
    const token = await makeToken({ exp: 4_000_000_000, ...claims, ...changed }, { expiresAt: null });
    const { code, text } = await explain({ secret: tokenSecret, ...ours }, token);
    expect(text).toMatch(line);
    expect(text.match(/FAILS/g)).toHaveLength(1);
    expect(code).toBe(1);
  });

  it.each([
    ['another secret', `${tokenSecret}!`, /FAILS +signature +is by another key\n/],
    ['the secret', tokenSecret, /ok +signature/],
  ])('checks the signature of a token by %s', async (_title, key, line) => {
    expect((await explain({ secret: tokenSecret }, await makeToken(claims, { key }))).text).toMatch(line);
  });

  it.each([
    ['an encrypted token', 'a.b.c.d.e', /FAILS +form +is encrypted \(five parts\)/],
    ['an opaque token', 'abcdef', /FAILS +form +has 1 part, but a JSON Web Token has three/],
    ['three parts of something else', 'a.b.c', /FAILS +form +has three parts, but they hold no JSON/],
  ])('knows %s', async (_title, token, line) => {
    const { code, text } = await explain(ours, token);
    expect(text).toMatch(line);
    expect(code).toBe(1);
  });

  it('reads the token from the standard input', async () => {
    const token = await makeToken({ sub: 'ann' });
    expect((await explain({ secret: tokenSecret }, `Bearer ${token}`, { given: '-' })).code).toBe(0);
  });

  it('asks the issuer that a token names, or says that there is none', async () => {
    const both = [ours, { issuer: 'https://staff.example.com', audience: 'desk' }];
    const staff = await makeToken({ ...claims, iss: 'https://staff.example.com' });
    expect((await explain(both, staff)).text).toContain('its keys lie at https://staff.example.com\n');
    const unknown = await explain(both, await makeToken({ ...claims, iss: 'https://evil.example.com' }));
    expect(unknown.text).toMatch(/FAILS +issuer +iss "https:\/\/evil\.example\.com" is none of auth\.jwt/);
    expect(unknown.code).toBe(1);
  });

  it.each([
    ['an issuer and its clients', { secret: tokenSecret, issuer, clients: ['web'], roleClaim: 'realm_access.roles' }],
    [
      'an issuer of tenants',
      { secret: tokenSecret, issuer: `${issuer}/{tenantid}`, tenants: ['north'], audience: ['desk'] },
    ],
    ['an entry of a list', [ours, { secret: [tokenSecret, `${tokenSecret}!`] }]],
    ['the preset of a provider', { preset: 'supabase', issuer: `${issuer}/auth/v1`, secret: tokenSecret }],
  ])('takes what helper token has signed for %s', async (_title, jwt) => {
    const settings = settingsWith(`auth: { jwt: ${JSON.stringify(jwt)} }\n`);
    const token = await signTestToken(settings, { sub: 'ann', roles: ['Clerk'], lifetimeMs: 60_000 });
    const { code, text } = await explain(jwt, token ?? '');
    expect(text).toMatch(/ok +signature +is by the key/);
    expect(text).toMatch(/- +roles +\["Clerk"\]/);
    expect(code).toBe(0);
  });

  it('knows of tenants, and says where nobody can sign in', async () => {
    const token = await makeToken({ ...claims, org: 'north' });
    const { text } = await explain({ secret: tokenSecret }, token, { more: 'tenancy: { claim: org }\n' });
    expect(text).toMatch(/ok +tenancy +org "north"\n/);
    expect(await explain(null, token)).toMatchObject({
      code: 78,
      text: expect.stringContaining('auth.jwt') as unknown,
    });
  });
});
