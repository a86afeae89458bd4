import { describe, expect, it } from 'vitest';
import { tokenEntries } from '../../../src/config/token-issuers.ts';
import { faultsWith, settingsWith } from './load-from-text.ts';

const secret = '"a secret that is long enough for HS256"';

function faults(lines: string): readonly string[] {
  return faultsWith(lines).map(({ path }) => path);
}

describe('auth (contract/identity.md#tokens)', () => {
  it('leaves everybody anonymous unless it is said how tokens are checked', () => {
    const { auth, anonymousIdentity } = settingsWith('');
    expect(auth).toEqual({ jwt: null, claimsTransformation: { addRoles: [] } });
    expect(anonymousIdentity).toBe('PerSession');
  });

  it('checks names and times as .NET does unless told otherwise', () => {
    expect(settingsWith(`auth: { jwt: { secret: ${secret} } }\n`).auth.jwt).toMatchObject({
      audience: null,
      algorithms: [],
      clockTolerance: 30_000,
      mapInboundClaims: true,
      nameClaim: null,
      roleClaim: null,
      cookie: null,
    });
  });

  it.each([
    ['no key', 'auth: { jwt: { audience: a } }\n', ['auth.jwt']],
    ['two keys', `auth: { jwt: { secret: ${secret}, jwksUrl: "https://a.example" } }\n`, ['auth.jwt.jwksUrl']],
    ['a short secret', 'auth: { jwt: { secret: short } }\n', ['auth.jwt.secret']],
    ['a list without a secret', 'auth: { jwt: { secret: [] } }\n', ['auth.jwt.secret']],
    ['a short secret in a list', `auth: { jwt: { secret: [${secret}, short] } }\n`, ['auth.jwt.secret[1]']],
    ['the same secret twice', `auth: { jwt: { secret: [${secret}, ${secret}] } }\n`, ['auth.jwt.secret']],
    ['an unknown algorithm', `auth: { jwt: { secret: ${secret}, algorithms: [none] } }\n`, ['auth.jwt.algorithms[0]']],
    ['an issuer that is no address', 'auth: { jwt: { issuer: login.example.com } }\n', ['auth.jwt.issuer']],
    ['a cookie that cannot be one', `auth: { jwt: { secret: ${secret}, cookie: "a=b" } }\n`, ['auth.jwt.cookie']],
    [
      'users only, where nobody can sign in',
      'endpoints: { transports: { requireAuthorization: true, roles: [Staff] } }\n',
      ['endpoints.transports.requireAuthorization', 'endpoints.transports.roles'],
    ],
  ])('refuses %s', (_title, lines, paths) => {
    expect(faults(lines)).toEqual(paths);
  });

  // proves service-5-69
  it.each([
    ['two entries without issuer', [{}, {}], ['auth.jwt[0]', 'auth.jwt[1]']],
    ['one of them says so', [{}, { sharedUsers: true }], ['auth.jwt[0]']],
    ['one that is named says so', [{ issuer: 'https://a.example', sharedUsers: true }, {}], ['auth.jwt[1]']],
    ['all say so', [{ sharedUsers: true }, { sharedUsers: true }], []],
    ['one alone', [{}], []],
    ['one beside named ones', [{}, { issuer: 'https://a.example' }], []],
  ])('refuses entries that share their users without saying so: %s', (_title, entries, paths) => {
    const keys = ['one', 'two'].map((name) => `the secret ${name} of at least 32 characters`);
    const jwt = entries.map((entry, index) => ({ secret: keys[index], ...entry }));
    expect(faults(`auth: ${JSON.stringify({ jwt })}\n`)).toEqual(paths);
  });

  it.each([
    ['hunter2', 'auth: { jwt: { secret: hunter2 } }\n'],
    ['hunter2 in a list', `auth: { jwt: { secret: [${secret}, hunter2] } }\n`],
  ])('never shows the secret %s', (_title, lines) => {
    const [fault] = faultsWith(lines);
    expect(fault?.message).toContain('***');
    expect(JSON.stringify(fault)).not.toContain('hunter2');
  });

  // proves configuration-4-01
  it('takes a text or a list of secrets, from the file and from the environment', () => {
    const first = 'the first secret of at least 32 characters';
    const second = 'another secret of at least 32 characters';
    const bracketed = '[a secret that begins like a list does';
    const secretOf = (value: string, environment = {}): unknown =>
      tokenEntries(settingsWith(`auth: { jwt: { secret: ${value} } }\n`, { environment }).auth)[0]?.settings.secret;
    expect(secretOf(`["${first}", "\${SECOND}"]`, { SECOND: second })).toEqual([first, second]);
    expect(secretOf('"${BOTH}"', { BOTH: `["${first}", '${second}']` })).toEqual([first, second]);
    expect(secretOf('"${ONE}"', { ONE: first })).toBe(first);
    expect(secretOf('"${ONE}"', { ONE: bracketed })).toBe(bracketed);
    expect(secretOf(secret, { HELPER__AUTH__JWT__SECRET: `["${first}"]` })).toEqual([first]);
  });
});
