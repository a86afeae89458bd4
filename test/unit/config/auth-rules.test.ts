import { describe, expect, it } from 'vitest';
import { faultsWith, settingsWith } from './load-from-text.ts';

const secret = '"a secret that is long enough for HS256"';

function faults(lines: string): readonly string[] {
  return faultsWith(lines).map(({ path }) => path);
}

describe('auth (configuration.md 4)', () => {
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
      nameClaim: 'name',
      roleClaim: 'role',
      cookie: null,
    });
  });

  it.each([
    ['no key', 'auth: { jwt: { audience: a } }\n', ['auth.jwt']],
    ['two keys', `auth: { jwt: { secret: ${secret}, issuer: "https://a.example" } }\n`, ['auth.jwt.issuer']],
    ['a short secret', 'auth: { jwt: { secret: short } }\n', ['auth.jwt.secret']],
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

  it('never shows the secret', () => {
    const [fault] = faultsWith('auth: { jwt: { secret: hunter2 } }\n');
    expect(fault?.message).toContain('***');
    expect(JSON.stringify(fault)).not.toContain('hunter2');
  });
});
