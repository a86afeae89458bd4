import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tenantOf } from '../../src/core/identity/principal.ts';
import { identityOf, type Published, publish, publishedKeys } from '../support/identity-provider.ts';
import { settingsWith } from '../unit/config/load-from-text.ts';

const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/sign-in.md'), 'utf8');

/** The settings below a heading of the guide, as a reader would copy them. */
function settingsOf(heading: string): string {
  const section = guide.split(`### ${heading}\n`)[1]?.split('\n### ')[0];
  const found = /```yaml\n([\s\S]*?)```/.exec(section ?? '')?.[1];
  if (found === undefined) throw new Error(`the guide has no settings below ${heading}`);
  return found;
}

/** What a provider with a discovery document publishes. */
function discovered(issuer: string, keys: string, named = issuer): Published {
  const at = issuer.replace(/\/$/, '');
  return { [`${at}/.well-known/openid-configuration`]: { issuer: named, jwks_uri: keys }, [keys]: publishedKeys };
}

interface Provider {
  readonly name: string;
  readonly published: Published;
  /** As the provider documents the tokens of its users. */
  readonly claims: Readonly<Record<string, unknown>>;
  readonly user: {
    readonly id: string;
    readonly name: string;
    readonly roles: readonly string[];
    readonly tenant?: string;
  };
  /** Claims that make a token one that is not for this server. */
  readonly refused: Readonly<Record<string, object>>;
}

const entraTenant = '6f1d3c1a-8f4e-4a5b-9d57-1c2f3a4b5c6d';
const entraIssuer = (tenant: string): string => `https://login.microsoftonline.com/${tenant}/v2.0`;

const providers: readonly Provider[] = [
  {
    name: 'Keycloak',
    published: discovered(
      'https://login.example.com/realms/shop',
      'https://login.example.com/realms/shop/protocol/openid-connect/certs',
    ),
    claims: {
      ...{ iss: 'https://login.example.com/realms/shop', aud: 'account', sub: '0c1f8c1e-5d0b', typ: 'Bearer' },
      ...{ azp: 'shop-web', sid: 's1', scope: 'openid email profile', preferred_username: 'ann' },
      realm_access: { roles: ['offline_access', 'clerk'] },
      resource_access: { 'shop-web': { roles: ['refunds'] }, account: { roles: ['view-profile'] } },
    },
    user: { id: '0c1f8c1e-5d0b', name: 'ann', roles: ['offline_access', 'clerk', 'refunds'] },
    refused: { 'another client': { azp: 'wiki' }, 'another realm': { iss: 'https://login.example.com/realms/wiki' } },
  },
  {
    name: 'Entra ID',
    published: discovered(
      'https://login.microsoftonline.com/organizations/v2.0',
      'https://login.microsoftonline.com/organizations/discovery/v2.0/keys',
      'https://login.microsoftonline.com/{tenantid}/v2.0',
    ),
    claims: {
      ...{ iss: entraIssuer(entraTenant), tid: entraTenant, aud: '9e8d7c6b-5a4f-4e3d-8c2b-1a0f9e8d7c6b' },
      ...{ sub: 'pairwise', oid: 'o1', name: 'Ann Lee', ver: '2.0', scp: 'access_as_user', roles: ['Clerk'] },
      groups: ['4c2f8f6e-group'],
    },
    user: { id: 'pairwise', name: 'Ann Lee', roles: ['Clerk', '4c2f8f6e-group'], tenant: entraTenant },
    refused: {
      'a tenant that is not listed': {
        iss: entraIssuer('11111111-2222-4333-8444-555555555555'),
        tid: '11111111-2222-4333-8444-555555555555',
      },
      'a tid that is not that of its issuer': { tid: '0b9c8d7e-6f5a-4b3c-8d2e-1f0a9b8c7d6e' },
      'another application': { aud: 'api://wiki' },
    },
  },
  {
    name: 'Auth0',
    published: discovered('https://shop.eu.auth0.com/', 'https://shop.eu.auth0.com/.well-known/jwks.json'),
    claims: {
      ...{ iss: 'https://shop.eu.auth0.com/', sub: 'auth0|65f0', azp: 'AbCdEf', scope: 'openid profile' },
      aud: ['https://orders.example.com', 'https://shop.eu.auth0.com/userinfo'],
      permissions: ['read:orders'],
      'https://shop.example.com/roles': ['clerk'],
    },
    user: { id: 'auth0|65f0', name: 'auth0|65f0', roles: ['read:orders', 'clerk'] },
    refused: { 'another API': { aud: ['https://wiki.example.com'] }, 'no audience': { aud: undefined } },
  },
  {
    name: 'Okta',
    published: discovered('https://shop.okta.com/oauth2/default', 'https://shop.okta.com/oauth2/default/v1/keys'),
    claims: {
      ...{ ver: 1, iss: 'https://shop.okta.com/oauth2/default', aud: 'api://default', cid: '0oa1b2c3d4e5f6g7h8i9' },
      ...{ uid: '00u1', scp: ['openid'], sub: 'ann@example.com', groups: ['Everyone', 'Clerks'] },
    },
    user: { id: 'ann@example.com', name: 'ann@example.com', roles: ['Everyone', 'Clerks'] },
    refused: { 'another client': { cid: '0oaxxx' }, 'another API': { aud: 'api://wiki' } },
  },
  {
    name: 'Amazon Cognito',
    published: discovered(
      'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbCdEfGhI',
      'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbCdEfGhI/.well-known/jwks.json',
    ),
    claims: {
      ...{ iss: 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbCdEfGhI', sub: 'c1', token_use: 'access' },
      ...{ client_id: '4q5w6e7r8t9y0u1i2o3p4a5s6d', username: 'ann', scope: 'openid', 'cognito:groups': ['clerks'] },
    },
    user: { id: 'c1', name: 'ann', roles: ['clerks'] },
    refused: {
      'another client': { client_id: 'wiki' },
      'another pool': { iss: 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_X' },
    },
  },
  {
    name: 'Google',
    published: discovered('https://accounts.google.com', 'https://www.googleapis.com/oauth2/v3/certs'),
    claims: {
      ...{ iss: 'accounts.google.com', azp: '123456789012-abcdef.apps.googleusercontent.com', hd: 'example.com' },
      aud: '123456789012-abcdef.apps.googleusercontent.com',
      ...{ sub: '1101', email: 'ann@example.com', email_verified: true, name: 'Ann Lee' },
    },
    user: { id: '1101', name: 'Ann Lee', roles: [] },
    refused: {
      'another client': { azp: 'x.apps.googleusercontent.com', aud: 'x.apps.googleusercontent.com' },
      'another domain': { hd: 'example.org' },
      'no domain': { hd: undefined },
    },
  },
  {
    name: 'Firebase',
    published: discovered(
      'https://securetoken.google.com/shop-4711',
      'https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com',
    ),
    claims: {
      ...{ iss: 'https://securetoken.google.com/shop-4711', aud: 'shop-4711', sub: 'f1', user_id: 'f1', role: 'clerk' },
      ...{ email: 'ann@example.com', firebase: { sign_in_provider: 'password', identities: {} } },
    },
    user: { id: 'f1', name: 'ann@example.com', roles: ['clerk'] },
    refused: { 'another project': { iss: 'https://securetoken.google.com/wiki', aud: 'wiki' } },
  },
  {
    name: 'Supabase',
    published: { 'https://abcdefghijklmnopqrst.supabase.co/auth/v1/.well-known/jwks.json': publishedKeys },
    claims: {
      ...{ iss: 'https://abcdefghijklmnopqrst.supabase.co/auth/v1', aud: 'authenticated', sub: 's1', aal: 'aal1' },
      ...{ email: 'ann@example.com', app_metadata: { provider: 'email', role: 'clerk' }, role: 'authenticated' },
      user_metadata: { full_name: 'Ann Lee', role: 'owner' },
    },
    user: { id: 's1', name: 'Ann Lee', roles: ['clerk', 'authenticated'] },
    refused: { 'nobody signed in': { aud: 'anon' } },
  },
  {
    name: 'Clerk',
    published: { 'https://clerk.example.com/.well-known/jwks.json': publishedKeys },
    claims: {
      ...{ iss: 'https://clerk.example.com', azp: 'https://app.example.com', sub: 'user_1', sid: 'sess_1', v: 2 },
      o: { id: 'org_1', rol: 'admin', slg: 'shop', per: 'read,manage' },
    },
    user: { id: 'user_1', name: 'user_1', roles: ['admin'], tenant: 'org_1' },
    refused: { 'a page of another origin': { azp: 'https://evil.example.com' } },
  },
  {
    name: 'ZITADEL',
    published: discovered('https://shop-abcdef.zitadel.cloud', 'https://shop-abcdef.zitadel.cloud/oauth/v2/keys'),
    claims: {
      ...{ iss: 'https://shop-abcdef.zitadel.cloud', sub: '1666', client_id: '777@shop' },
      aud: ['777@shop', '234567890123456789'],
      'urn:zitadel:iam:org:project:234567890123456789:roles': { clerk: { '1000': 'shop.example.com' } },
      'urn:zitadel:iam:org:project:999:roles': { owner: { '1000': 'shop.example.com' } },
    },
    user: { id: '1666', name: '1666', roles: ['clerk'] },
    refused: { 'another project': { aud: ['999'] } },
  },
  {
    name: 'authentik',
    published: discovered(
      'https://login.example.com/application/o/shop/',
      'https://login.example.com/application/o/shop/jwks/',
    ),
    claims: {
      ...{ iss: 'https://login.example.com/application/o/shop/', sub: 'hash', email: 'ann@example.com' },
      aud: 'AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcd',
      ...{ name: 'Ann Lee', preferred_username: 'ann', groups: ['authentik Admins', 'Clerks'] },
    },
    user: { id: 'hash', name: 'Ann Lee', roles: ['authentik Admins', 'Clerks'] },
    refused: { 'another application': { aud: 'wiki' } },
  },
];

describe('the providers of the guide (contract/identity.md#issuers)', () => {
  // proves service-5-54
  it.each(providers)(
    '$name signs its users in by the settings of the guide',
    async ({ name, published, claims, user }) => {
      publish(published);
      const { signIn } = await identityOf(settingsWith(settingsOf(name)));
      const { principal } = await signIn(claims);
      expect(principal).toMatchObject({ kind: 'signed-in', id: user.id, name: user.name });
      expect([...principal.roles]).toEqual(user.roles);
      expect(tenantOf(principal)).toBe(user.tenant);
    },
  );

  const others = providers.flatMap(({ refused, ...provider }) =>
    Object.entries(refused).map(([why, changed]) => ({ ...provider, why, changed })),
  );

  // proves service-5-54
  it.each(others)('$name signs nobody in with a token of $why', async ({ name, published, claims, changed }) => {
    publish(published);
    const { signIn } = await identityOf(settingsWith(settingsOf(name)));
    await expect(signIn({ ...claims, ...changed })).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it.each(providers)('$name signs nobody in with a forged token', async ({ name, published, claims }) => {
    publish(published);
    const { signIn } = await identityOf(settingsWith(settingsOf(name)));
    await expect(signIn(claims, { forged: true })).rejects.toMatchObject({ refusal: 'signature' });
  });
});
