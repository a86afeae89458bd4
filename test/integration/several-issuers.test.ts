import { describe, expect, it } from 'vitest';
import { tenantOf } from '../../src/core/identity/principal.ts';
import { identityOf, publish, publishedKeys } from '../support/identity-provider.ts';
import { tokenSecret } from '../support/tokens.ts';
import { faultsWith, settingsWith } from '../unit/config/load-from-text.ts';

const keys = 'https://keys.example.com/keys';
const staff = 'https://staff.example.com';
const customers = 'https://customers.example.com';

/** A server with these entries of `auth.jwt`. */
function server(jwt: unknown, more = '') {
  publish({ [keys]: publishedKeys });
  return identityOf(settingsWith(`auth: { jwt: ${JSON.stringify(jwt)} }\n${more}`));
}

describe('several issuers (contract/identity.md#issuers)', () => {
  const both = [
    { jwksUrl: keys, issuer: staff, audience: 'desk', roleClaim: 'staff_roles' },
    { jwksUrl: keys, issuer: customers, clients: ['web', 'app'], roleClaim: 'customer_roles' },
  ];

  // proves service-5-50
  it('check a token by the rules of the issuer that it names alone', async () => {
    const { signIn } = await server(both);
    const ofStaff = { iss: staff, aud: 'desk', sub: 'ann', staff_roles: ['Clerk'], customer_roles: ['Gold'] };
    expect((await signIn(ofStaff)).principal.roles).toEqual(new Set(['Clerk']));
    const ofCustomer = { iss: customers, azp: 'web', sub: 'ann', staff_roles: ['Clerk'], customer_roles: ['Gold'] };
    expect((await signIn(ofCustomer)).principal.roles).toEqual(new Set(['Gold']));
    await expect(signIn({ ...ofStaff, iss: customers })).rejects.toMatchObject({ refusal: 'audience' });
    await expect(signIn({ ...ofStaff, iss: 'https://evil.example.com' })).rejects.toMatchObject({ refusal: 'issuer' });
    await expect(signIn({ ...ofStaff, iss: undefined })).rejects.toMatchObject({ refusal: 'issuer' });
  });

  // proves service-5-55
  it('tell users of the same id apart, and share those that are said to be shared', async () => {
    const keyAt = async (entries: unknown, iss: string): Promise<string> => {
      const { signIn } = await server(entries);
      return (await signIn({ iss, aud: 'desk', azp: 'web', sub: 'ann' })).principal.userKey;
    };
    expect(await keyAt(both, staff)).not.toBe(await keyAt(both, customers));
    const [first, second] = both;
    const shared = [{ ...first, sharedUsers: true }, second];
    expect(await keyAt(shared, staff)).toBe(await keyAt(first, staff));
    expect(await keyAt(shared, customers)).toBe(await keyAt(both, customers));
    expect(await keyAt(shared.toReversed(), staff)).toBe(await keyAt(shared, staff));
  });

  // proves service-5-55
  it('tell users of the same id apart in one entry, too, where each issuer has keys of its own', async () => {
    const [north, south] = ['https://north.example.com', 'https://south.example.com'];
    const published = [north, south].map((issuer): readonly [string, unknown] => [
      `${issuer}/.well-known/openid-configuration`,
      { issuer, jwks_uri: keys },
    ]);
    publish({ ...Object.fromEntries(published), [keys]: publishedKeys });
    const keyAt = async (more: object, iss: string): Promise<string> => {
      const jwt = { issuer: [north, south], audience: 'desk', ...more };
      const { signIn } = await identityOf(settingsWith(`auth: { jwt: ${JSON.stringify(jwt)} }\n`));
      return (await signIn({ iss, aud: 'desk', sub: 'ann' })).principal.userKey;
    };
    expect(await keyAt({}, north)).not.toBe(await keyAt({}, south));
    expect(await keyAt({ sharedUsers: true }, south)).toBe('id:ann');
    // One key makes them one issuer by several names.
    expect(await keyAt({ jwksUrl: keys }, south)).toBe('id:ann');
  });

  // proves service-5-50
  it('may stand beside a secret without an issuer, which signs no token of theirs', async () => {
    const { signIn } = await server([{ secret: tokenSecret }, both[0]]);
    expect((await signIn({ iss: staff, aud: 'desk', sub: 'ann' })).principal).toMatchObject({ id: 'ann' });
    await expect(signIn({ iss: 'https://other.example.com', sub: 'ann' })).rejects.toMatchObject({
      refusal: 'algorithm',
    });
  });

  // proves service-5-63
  it.each([
    ['an issuer of nobody', 'https://evil.example.com', 'unauthenticated'],
    ['no issuer', undefined, 'unauthenticated'],
    ['an issuer that is no address', 'urn:evil', 'unauthenticated'],
    ['the issuer that is away', 'https://adfs.example.com/adfs', 'overloaded'],
    ['another name at its host', 'http://adfs.example.com/adfs/services/trust', 'overloaded'],
  ])('refuse while one of them has never answered a token of %s', async (_title, iss, code) => {
    const away = { issuer: 'https://adfs.example.com/adfs', audience: 'desk' };
    const { signIn } = await server([away, ...both]);
    await expect(signIn({ iss, aud: 'desk', sub: 'ann' })).rejects.toMatchObject({ code });
  });

  // proves service-5-63, service-5-57
  it('take tokens by a name at any host once the issuer has said that it is its own', async () => {
    const [issuer, other] = ['https://adfs.example.com/adfs', 'http://sts.example.org/trust'];
    publish({
      [`${issuer}/.well-known/openid-configuration`]: { issuer, jwks_uri: keys, access_token_issuer: other },
      [keys]: publishedKeys,
    });
    const entries = [{ issuer, audience: 'desk' }, ...both];
    const { signIn } = await identityOf(settingsWith(`auth: { jwt: ${JSON.stringify(entries)} }\n`));
    expect((await signIn({ iss: other, aud: 'desk', sub: 'ann' })).principal).toMatchObject({ id: 'ann' });
  });

  it.each([
    ['no issuer', '[]', 'auth.jwt'],
    ['an entry without a key', `[{ secret: "${tokenSecret}" }, { audience: a }]`, 'auth.jwt[1]'],
    ['a fault of one entry', `[{ secret: "${tokenSecret}" }, { issuer: nowhere }]`, 'auth.jwt[1].issuer'],
    [
      'two cookies',
      `[{ secret: "${tokenSecret}", cookie: a }, { issuer: "${staff}", cookie: b }]`,
      'auth.jwt[1].cookie',
    ],
    ['tenants whose keys nothing names', '{ issuer: "https://login.example.com/{tenantid}/v2.0" }', 'auth.jwt.issuer'],
    ['another placeholder', '{ issuer: "https://a.example/{realm}" }', 'auth.jwt.issuer'],
    ['tenants that nothing names', `{ issuer: "${staff}", tenants: a }`, 'auth.jwt.tenants'],
    ['a preset without its issuer', '{ preset: keycloak, clients: a }', 'auth.jwt'],
    ['a preset with its keys alone', `{ preset: okta, jwksUrl: "${keys}" }`, 'auth.jwt'],
    [
      'an issuer of Entra by its domain',
      '{ preset: entra, issuer: "https://login.microsoftonline.com/contoso.com/v2.0" }',
      'auth.jwt.issuer',
    ],
  ])('refuse %s', (_title, jwt, path) => {
    expect(faultsWith(`auth: { jwt: ${jwt} }\n`).map((fault) => fault.path)).toEqual([path]);
  });
});

describe('one issuer (contract/identity.md#issuers)', () => {
  // proves service-5-52
  it('may be beside its keys, and then is the only one whose tokens are taken', async () => {
    const { signIn } = await server({ jwksUrl: keys, issuer: [staff, `${customers}/`], audience: 'desk' });
    const claims = { aud: 'desk', sub: 'ann' };
    expect((await signIn({ ...claims, iss: staff })).principal).toMatchObject({ id: 'ann' });
    expect((await signIn({ ...claims, iss: customers })).principal).toMatchObject({ id: 'ann' });
    await expect(signIn({ ...claims, iss: 'https://evil.example.com' })).rejects.toMatchObject({ refusal: 'issuer' });
    await expect(signIn(claims)).rejects.toMatchObject({ refusal: 'issuer' });
  });

  // proves service-5-51
  it.each([
    ['client_id', { client_id: 'web' }, true],
    ['azp', { azp: 'app' }, true],
    ['cid', { cid: 'web' }, true],
    ['appid', { appid: 'web' }, true],
    ['the audience of an ID token', { aud: ['web'] }, true],
    ['another client with the audience of ours', { azp: 'wiki', aud: 'web' }, false],
    ['no client at all', {}, false],
  ])('knows its clients by %s', async (_title, claims, isTaken) => {
    const { signIn } = await server({ jwksUrl: keys, clients: ['web', 'app'] });
    const signed = signIn({ sub: 'ann', ...claims });
    if (isTaken) expect((await signed).principal).toMatchObject({ id: 'ann' });
    else await expect(signed).rejects.toMatchObject({ refusal: 'audience' });
  });

  // proves service-5-64
  it.each<[string, { readonly aud: string; readonly azp?: string }, boolean]>([
    ['a web page', { aud: 'web', azp: 'web' }, true],
    ['a web page, without azp', { aud: 'web' }, true],
    ['an app of the same project', { aud: 'web', azp: 'app' }, true],
    ['an app of another project', { aud: 'web', azp: 'stranger' }, false],
    ['a service account', { aud: 'web', azp: '104711' }, false],
    ['one of the clients, for another back end', { aud: 'app', azp: 'web' }, false],
    ['another project that has our number in its name', { aud: 'web', azp: 'fake' }, false],
  ])('of Google knows its clients by the audience: a token of %s', async (_title, { aud, azp }, isTaken) => {
    const ids: Readonly<Record<string, string>> = {
      web: '4711-web.apps.googleusercontent.com',
      app: '4711-app.apps.googleusercontent.com',
      stranger: '4712-app.apps.googleusercontent.com',
      fake: '4711-app.apps.googleusercontent.com.example',
    };
    const idOf = (name?: string): string | undefined => (name === undefined ? undefined : (ids[name] ?? name));
    const { signIn } = await server({ preset: 'google', jwksUrl: keys, clients: ids['web'] });
    const signed = signIn({ iss: 'https://accounts.google.com', sub: 'ann', aud: idOf(aud), azp: idOf(azp) });
    if (isTaken) expect((await signed).principal).toMatchObject({ id: 'ann' });
    else await expect(signed).rejects.toMatchObject({ refusal: 'audience' });
  });

  // proves service-5-51
  it('takes any audience of a list, also of a list in the token, and looks at an audience that is there', async () => {
    const { signIn } = await server({ jwksUrl: keys, audience: ['desk', 'shop'], clients: 'web' });
    const claims = { sub: 'ann', azp: 'web' };
    expect((await signIn({ ...claims, aud: ['wiki', 'shop'] })).principal).toMatchObject({ id: 'ann' });
    expect((await signIn(claims)).principal).toMatchObject({ id: 'ann' });
    expect((await signIn({ ...claims, aud: [] })).principal).toMatchObject({ id: 'ann' });
    await expect(signIn({ ...claims, aud: 42 })).rejects.toMatchObject({ refusal: 'audience' });
    await expect(signIn({ ...claims, aud: 'wiki' })).rejects.toMatchObject({ refusal: 'audience' });
  });
});

describe('an issuer of several tenants (contract/identity.md#issuers)', () => {
  const template = 'https://login.example.com/{tenantid}/v2.0';
  const ofTenant = (tenant: string): string => template.replace('{tenantid}', tenant);

  // proves service-5-53
  it('signs in users of all tenants, or of those that are listed', async () => {
    const open = await server({ jwksUrl: keys, issuer: template, audience: 'desk' });
    const claims = { aud: 'desk', sub: 'ann' };
    expect((await open.signIn({ ...claims, iss: ofTenant('north') })).principal).toMatchObject({ id: 'ann' });
    await expect(open.signIn({ ...claims, iss: 'https://login.example.com/a/b/v2.0' })).rejects.toMatchObject({
      refusal: 'issuer',
    });
    await expect(open.signIn({ ...claims, iss: 'https://login.example.com//v2.0' })).rejects.toMatchObject({
      refusal: 'issuer',
    });
    const some = await server({ jwksUrl: keys, issuer: template, audience: 'desk', tenants: 'north' });
    expect((await some.signIn({ ...claims, iss: ofTenant('north') })).principal).toMatchObject({ id: 'ann' });
    await expect(some.signIn({ ...claims, iss: ofTenant('south') })).rejects.toMatchObject({ refusal: 'issuer' });
  });

  // proves service-5-53, configuration-7-31
  it('speaks for its own tenant alone', async () => {
    const { signIn } = await server({ jwksUrl: keys, issuer: template, audience: 'desk' }, 'tenancy: { claim: org }\n');
    const claims = { iss: ofTenant('north'), aud: 'desk', sub: 'ann' };
    expect(tenantOf((await signIn({ ...claims, org: 'north' })).principal)).toBe('north');
    await expect(signIn({ ...claims, org: 'south' })).rejects.toMatchObject({ code: 'forbidden', refusal: 'tenant' });
    await expect(signIn(claims)).rejects.toMatchObject({ code: 'forbidden', refusal: 'tenant' });
  });

  // proves service-5-53
  it('refuses a tid that is not that of its issuer, behind any name and also without a preset', async () => {
    const ours = await server({ jwksUrl: keys, issuer: template, audience: 'desk' });
    const claims = { aud: 'desk', sub: 'ann' };
    expect((await ours.signIn({ ...claims, iss: ofTenant('north'), tid: 'north' })).principal).toMatchObject({
      id: 'ann',
    });
    await expect(ours.signIn({ ...claims, iss: ofTenant('north'), tid: 'south' })).rejects.toMatchObject({
      refusal: 'issuer',
    });
    const any = await server({ jwksUrl: keys, audience: 'desk' });
    const iss = 'https://login.microsoftonline.com/north/v2.0';
    expect((await any.signIn({ ...claims, iss, tid: 'north' })).principal).toMatchObject({ id: 'ann' });
    await expect(any.signIn({ ...claims, iss, tid: 'south' })).rejects.toMatchObject({ refusal: 'issuer' });
  });

  // proves service-5-53
  it('tells users of the same id apart where no claim names their tenant', async () => {
    const { signIn } = await server({ jwksUrl: keys, issuer: template, audience: 'desk' });
    const keyOf = async (tenant: string): Promise<string> =>
      (await signIn({ iss: ofTenant(tenant), aud: 'desk', sub: 'ann' })).principal.userKey;
    expect(await keyOf('north')).not.toBe(await keyOf('south'));
  });

  // proves service-5-53
  it('has keys of its own for each listed tenant where it is not Entra', async () => {
    const realm = 'https://login.example.com/realms/north';
    publish({
      [`${realm}/.well-known/openid-configuration`]: { issuer: realm, jwks_uri: keys },
      [keys]: publishedKeys,
    });
    const jwt = {
      preset: 'keycloak',
      issuer: 'https://login.example.com/realms/{tenantid}',
      tenants: ['north'],
      clients: 'web',
    };
    const { signIn } = await identityOf(settingsWith(`auth: { jwt: ${JSON.stringify(jwt)} }\n`));
    expect((await signIn({ iss: realm, azp: 'web', sub: 'ann' })).principal).toMatchObject({ id: 'ann' });
  });

  // proves service-5-54
  it('is the same Entra by the name that tokens of version 1 give it', async () => {
    const tenant = '6f1d3c1a-8f4e-4a5b-9d57-1c2f3a4b5c6d';
    const second = `https://login.microsoftonline.com/${tenant}/v2.0`;
    publish({
      [`${second}/.well-known/openid-configuration`]: { issuer: second, jwks_uri: keys },
      [keys]: publishedKeys,
    });
    const first = `https://sts.windows.net/${tenant}/`;
    const jwt = JSON.stringify({ preset: 'entra', issuer: first, audience: 'desk' });
    const { signIn } = await identityOf(settingsWith(`auth: { jwt: ${jwt} }\n`));
    for (const iss of [first, second]) {
      expect((await signIn({ iss, aud: 'desk', sub: 'ann', tid: tenant })).principal).toMatchObject({ id: 'ann' });
    }
  });

  const personal = '9188040d-6c67-4c5b-b112-36a304b66dad';
  const work = '6f1d3c1a-8f4e-4a5b-9d57-1c2f3a4b5c6d';

  /** Entra with the documents that it publishes at a host. */
  function entraAt(host: string): (jwt: object) => Promise<(tenant: string, version?: 1) => Promise<string>> {
    const document = (name: string, tenant = name): readonly [string, unknown] => [
      `https://${host}/${name}/v2.0/.well-known/openid-configuration`,
      { issuer: `https://${host}/${tenant}/v2.0`, jwks_uri: keys },
    ];
    return async (jwt) => {
      const shared = ['organizations', 'common'].map((name) => document(name, '{tenantid}'));
      publish({ ...Object.fromEntries([...shared, document(personal)]), [keys]: publishedKeys });
      const { signIn } = await identityOf(
        settingsWith(`auth: { jwt: ${JSON.stringify({ audience: 'desk', ...jwt })} }\n`),
      );
      return async (tenant, version) => {
        const iss = version === 1 ? `https://sts.windows.net/${tenant}/` : `https://${host}/${tenant}/v2.0`;
        return signIn({ iss, aud: 'desk', sub: 'ann', tid: tenant }).then(
          ({ principal }) => principal.kind,
          (error: unknown) => (error as { refusal: string }).refusal, // the refusal of a token
        );
      };
    };
  }

  // proves service-5-62
  it.each([
    ['organizations', [['signed-in', 'issuer']]],
    ['consumers', [['issuer', 'signed-in']]],
    ['common', [['signed-in', 'signed-in']]],
  ])('of Entra takes at %s the accounts that it stands for', async (name, [expected]) => {
    const atHost = entraAt('login.microsoftonline.com');
    const issuer = `https://login.microsoftonline.com/${name}/v2.0`;
    for (const jwt of [{ issuer }, { issuer, preset: 'entra' }, { issuer, preset: 'entra', jwksUrl: keys }]) {
      const kindOf = await atHost(jwt);
      expect([await kindOf(work), await kindOf(personal)]).toEqual(expected);
    }
    const kindOf = await atHost({ issuer, preset: 'entra' });
    expect([await kindOf(work, 1), await kindOf(personal, 1)]).toEqual(expected);
  });

  // proves service-5-62
  it('of Entra takes personal accounts beside organizations where another name of the entry stands for them', async () => {
    const atHost = entraAt('login.microsoftonline.com');
    const issuer = ['organizations', 'consumers'].map((name) => `https://login.microsoftonline.com/${name}/v2.0`);
    for (const more of [{}, { jwksUrl: keys }]) {
      const kindOf = await atHost({ issuer, preset: 'entra', ...more });
      expect([await kindOf(work), await kindOf(personal)]).toEqual(['signed-in', 'signed-in']);
    }
  });

  // proves service-5-62
  it.each(['login.microsoftonline.us', 'login.partner.microsoftonline.cn', 'login.sovcloud-identity.fr'])(
    'is Entra at %s, with and without the preset',
    async (host) => {
      for (const more of [{}, { preset: 'entra' }]) {
        const kindOf = await entraAt(host)({ issuer: `https://${host}/organizations/v2.0`, ...more });
        expect(await kindOf(work)).toBe('signed-in');
      }
    },
  );

  // proves service-5-62
  it('is Entra at any other address with the preset alone, so that a realm may be called common', async () => {
    const host = 'login.example.com';
    const issuer = `https://${host}/common/v2.0`;
    const entra = await entraAt(host)({ issuer, preset: 'entra' });
    expect([await entra(work), await entra('common')]).toEqual(['signed-in', 'signed-in']);
    publish({
      [`${issuer}/.well-known/openid-configuration`]: { issuer, jwks_uri: keys },
      [keys]: publishedKeys,
    });
    const { signIn } = await identityOf(settingsWith(`auth: { jwt: { issuer: "${issuer}", audience: desk } }\n`));
    const claims = { aud: 'desk', sub: 'ann' };
    expect((await signIn({ ...claims, iss: issuer })).principal).toMatchObject({ id: 'ann', userKey: 'id:ann' });
    const ofAnother = { ...claims, iss: `https://${host}/${work}/v2.0` };
    await expect(signIn(ofAnother)).rejects.toMatchObject({ refusal: 'issuer' });
  });

  // proves service-5-61
  it('tells in the log, once, that the groups of a user are left out', async () => {
    const { signIn, log } = await server({ jwksUrl: keys, audience: 'desk', roleClaim: 'groups' });
    const claims = { aud: 'desk', _claim_names: { groups: 'src1' } };
    await signIn({ ...claims, sub: 'ann' });
    await signIn({ ...claims, sub: 'bob' });
    expect(log.lines.filter(({ level }) => level === 'warn')).toMatchObject([
      { message: expect.stringContaining('groups') as unknown },
    ]);
  });
});

describe('a token without a user (contract/identity.md#users)', () => {
  // proves service-5-58
  it('is that of its client, unless it speaks of a person', async () => {
    const { signIn } = await server({ jwksUrl: keys, clients: 'sync' });
    const service = await signIn({ client_id: 'sync', role: 'Importer' });
    expect(service.principal).toMatchObject({
      kind: 'signed-in',
      userKey: 'client:sync',
      roles: new Set(['Importer']),
    });
    const person = await signIn({ client_id: 'sync', sid: 's1', role: 'Importer' });
    expect(person.principal).toMatchObject({ kind: 'anonymous', unnamed: true, roles: new Set(['Importer']) });
  });
});
