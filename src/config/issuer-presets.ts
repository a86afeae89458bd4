import { entraHosts } from '../core/base/entra-hosts.ts';
import type { TokenIssuerSettings } from './settings.ts';

/** One issuer by the names that its tokens may give it, and where its keys are. */
export interface NamedIssuer {
  /** The first is the one that is shown. `{tenantid}` stands for any tenant. */
  readonly names: readonly [string, ...string[]];
  /** The address below which the discovery document lies. */
  readonly discovery: string;
  /** Tenants that the placeholder does not stand for. */
  readonly without?: readonly string[];
  /** The key set, for a provider that documents where it lies; else discovery names it. */
  readonly keySet?: string;
}

/** What is known of a provider (docs/guides/sign-in.md#providers). */
export interface IssuerPreset {
  /** How its `issuer` is written, for messages. */
  readonly example: string;
  /** The issuer that all its customers share. */
  readonly issuer?: string;
  readonly named?: (issuer: string) => NamedIssuer;
  /** Why an `issuer` cannot be one of this provider. */
  readonly fault?: (issuer: string) => string | undefined;
  /** The audience that follows from the issuer. */
  readonly audience?: (issuer: string) => string;
  /** `ids`: the clients and audiences of the configuration. */
  readonly roleClaims: (ids: readonly string[]) => readonly string[];
  readonly nameClaims?: readonly string[];
  /** `clients` is compared with the audience, and the client that asked for a token is of the same Google project. */
  readonly clientsOfProject?: boolean;
  /** The claim that `tenants` is compared with. */
  readonly tenantClaim?: string;
}

/** The claims that a user's name is looked for in, best first. */
export const usualNames = ['name', 'preferred_username', 'upn', 'cognito:username', 'email'] as const;

/** In an issuer, this stands for the tenant of a token. */
export const tenantPlaceholder = '{tenantid}';

/** The tenant of Microsoft accounts that belong to no organisation. */
const consumers = '9188040d-6c67-4c5b-b112-36a304b66dad';

const groups = (): readonly string[] => ['groups'];

export const issuerPresets: Readonly<Record<NonNullable<TokenIssuerSettings['preset']>, IssuerPreset>> = {
  keycloak: {
    example: 'https://login.example.com/realms/shop',
    // Roles of other clients may have the same names, so only those of the named clients count.
    roleClaims: (ids) => ['realm_access.roles', ...ids.map((id) => `resource_access.${id}.roles`)],
  },
  entra: {
    example: 'https://login.microsoftonline.com/TENANT-ID/v2.0',
    named: (issuer) => namedEntra(issuer),
    fault: (issuer) =>
      tenantOfEntra(issuer) === undefined
        ? 'must have the id of a tenant, organizations, common, consumers or {tenantid} before /v2.0'
        : undefined,
    roleClaims: () => ['roles', 'groups'],
    tenantClaim: 'tid',
  },
  auth0: {
    example: 'https://TENANT.eu.auth0.com/',
    // Claims of one's own must have an address as their name.
    roleClaims: () => ['permissions', 'https://*/roles', 'http://*/roles'],
  },
  okta: { example: 'https://COMPANY.okta.com/oauth2/default', roleClaims: groups },
  cognito: {
    example: 'https://cognito-idp.REGION.amazonaws.com/POOL-ID',
    roleClaims: () => ['cognito:groups'],
    nameClaims: [...usualNames, 'username'],
  },
  google: {
    example: 'https://accounts.google.com',
    issuer: 'https://accounts.google.com',
    // Older ID tokens name their issuer without a scheme.
    named: (issuer) => ({ names: [issuer, issuer.replace(/^https:\/\//, '')], discovery: issuer }),
    roleClaims: () => [],
    tenantClaim: 'hd',
    clientsOfProject: true,
  },
  firebase: {
    example: 'https://securetoken.google.com/PROJECT-ID',
    audience: (issuer) => lastSegment(issuer),
    roleClaims: () => ['role', 'roles'],
  },
  supabase: {
    example: 'https://PROJECT.supabase.co/auth/v1',
    named: (issuer) => ownKeySet(issuer),
    audience: () => 'authenticated',
    // Users write user_metadata themselves: it is good for a name, and never for a role.
    roleClaims: () => ['app_metadata.role', 'app_metadata.roles'],
    nameClaims: ['user_metadata.full_name', 'user_metadata.name', ...usualNames],
  },
  clerk: {
    example: 'https://clerk.example.com',
    named: (issuer) => ownKeySet(issuer),
    roleClaims: () => ['o.rol', 'org_role', 'org_permissions'],
  },
  zitadel: {
    example: 'https://INSTANCE.zitadel.cloud',
    roleClaims: (ids) => [
      'urn:zitadel:iam:org:project:roles',
      ...ids.map((id) => `urn:zitadel:iam:org:project:${id}:roles`),
    ],
  },
  authentik: { example: 'https://login.example.com/application/o/APPLICATION/', roleClaims: groups },
};

/** The part of an Entra issuer that names the tenant. Undefined for an address of another form. */
function tenantOfEntra(issuer: string): string | undefined {
  const tenant = /^https?:\/\/[^/]+\/([^/]+)(?:\/v2\.0)?\/?$/i.exec(issuer)?.[1];
  const isKnown = /^(?:organizations|common|consumers|\{tenantid\}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i;
  return tenant !== undefined && isKnown.test(tenant) ? tenant.toLowerCase() : undefined;
}

/** Tokens of version 1 name another issuer of the same tenant, and are signed with the same keys. */
function namedEntra(issuer: string): NamedIssuer {
  const tenant = tenantOfEntra(issuer) ?? '';
  // Tokens of version 1 call the same server by another name, under which it publishes no document of version 2.
  const { origin, host } = new URL(
    issuer.replace(/^https:\/\/sts\.windows\.net\//i, 'https://login.microsoftonline.com/'),
  );
  const isShared = ['organizations', 'common', tenantPlaceholder].includes(tenant);
  const id = isShared ? tenantPlaceholder : tenant === 'consumers' ? consumers : tenant;
  const first = host === 'login.microsoftonline.com' ? [`https://sts.windows.net/${id}/`] : [];
  const discovery = `${origin}/${tenant === tenantPlaceholder ? 'organizations' : id === tenantPlaceholder ? tenant : id}/v2.0`;
  const without = tenant === 'organizations' ? { without: [consumers] } : {};
  return { names: [`${origin}/${id}/v2.0`, ...first], discovery, ...without };
}

/** Whether an issuer is one of Entra whatever the preset. Others may have a realm that is called `common`. */
export function isEntra(issuer: string): boolean {
  return URL.canParse(issuer) && entraHosts.includes(new URL(issuer).hostname);
}

/** An issuer of Entra without its preset: tokens of version 1 are not taken. */
export function entraByAddress(issuer: string): NamedIssuer {
  if (tenantOfEntra(issuer) === undefined || !/\/v2\.0\/?$/i.test(issuer))
    return { names: [issuer], discovery: issuer };
  const { names, ...rest } = namedEntra(issuer);
  return { names: [names[0]], ...rest };
}

function ownKeySet(issuer: string): NamedIssuer {
  return { names: [issuer], discovery: issuer, keySet: `${issuer.replace(/\/$/, '')}/.well-known/jwks.json` };
}

function lastSegment(issuer: string): string {
  return issuer.replace(/\/$/, '').split('/').at(-1) ?? '';
}
