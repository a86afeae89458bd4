import {
  entraByAddress,
  isEntra,
  issuerPresets,
  type NamedIssuer,
  tenantPlaceholder,
  usualNames,
} from './issuer-presets.ts';
import type { KeyPath } from './located-value.ts';
import type { HelperSettings, TokenIssuerSettings } from './settings.ts';

/** One issuer of tokens with all that its preset fills in. Its keys are exactly one of the first four. */
export interface TokenIssuer {
  readonly secret: string | readonly string[] | null;
  readonly publicKeyFile: string | null;
  readonly jwksUrl: string | null;
  /** The address below which a discovery document names the keys. */
  readonly discovery: string | null;
  /** The names by which a token may call its issuer; `{tenantid}` stands for any tenant. Empty: any issuer. */
  readonly issuers: readonly string[];
  readonly audiences: readonly string[];
  readonly clients: readonly string[];
  /** `clients` is compared with the audience, and the client that asked for a token is of the same Google project. */
  readonly clientsOfProject: boolean;
  readonly tenants: readonly string[];
  /** Tenants that the placeholder does not stand for. */
  readonly withoutTenants: readonly string[];
  /** The one tenant that the issuer is of. */
  readonly ofTenant?: string;
  /** The claim with the tenant where the issuer has no placeholder. */
  readonly tenantClaim: string | undefined;
  readonly algorithms: readonly string[];
  /** Milliseconds. */
  readonly clockTolerance: number;
  /** Where the entry is written, for messages. */
  readonly path: KeyPath;
  /** The position of the entry in `auth.jwt`. */
  readonly entry: number;
}

/** How the claims of the tokens of one entry become a user. */
export interface EntryClaims {
  readonly mapInboundClaims: boolean;
  readonly nameClaims: readonly string[];
  /** The claim whose value names a user that nothing else names. */
  readonly idNameClaim: string;
  readonly roleClaims: readonly string[];
  /** Its users are told apart from those of other issuers. */
  readonly ownUsers: boolean;
}

/** One entry and where it is written. */
export interface WrittenEntry {
  readonly settings: TokenIssuerSettings;
  readonly path: KeyPath;
}

type Auth = Pick<HelperSettings['auth'], 'jwt'>;

/** The entries of `auth.jwt`; empty where nobody signs in. */
export function tokenEntries({ jwt }: Auth): readonly WrittenEntry[] {
  const path = ['auth', 'jwt'];
  if (jwt === null) return [];
  if (isList(jwt)) return jwt.map((settings, index) => ({ settings, path: [...path, index] }));
  return [{ settings: jwt, path }];
}

function isList(jwt: NonNullable<Auth['jwt']>): jwt is readonly TokenIssuerSettings[] {
  return Array.isArray(jwt);
}

/** The name of the cookie that may carry a token. A rule sees to it that there is one at most. */
export function tokenCookie(auth: Auth): string | undefined {
  return tokenEntries(auth).find(({ settings }) => settings.cookie !== null)?.settings.cookie ?? undefined;
}

/** The values of a setting that is a text or a list. */
export function listed(value: string | readonly string[] | null): readonly string[] {
  return [value ?? []].flat();
}

/** The issuers of an entry by name; empty where it names none. */
export function namedIssuers({ preset, issuer }: TokenIssuerSettings): readonly NamedIssuer[] {
  const known = preset === null ? undefined : issuerPresets[preset];
  const written = listed(issuer);
  const names = written.length === 0 && known?.issuer !== undefined ? [known.issuer] : written;
  return names.map((name) => known?.named?.(name) ?? namedByAddress(name));
}

/** The addresses at which clients of this server may get tokens (RFC 9728 `authorization_servers`). */
export function authorizationServers(settings: TokenIssuerSettings): readonly string[] {
  return namedIssuers(settings)
    .flatMap((named) => withTenants(named, settings))
    .map(({ names: [name], discovery }) => (name.includes(tenantPlaceholder) ? discovery : name))
    .filter((address) => !address.includes(tenantPlaceholder));
}

/** `organizations`, `common` and `consumers` of Entra are no issuers of their own: their tokens name the tenant. */
function namedByAddress(name: string): NamedIssuer {
  return isEntra(name) ? entraByAddress(name) : { names: [name], discovery: name };
}

/** The tenants that no name of an entry takes. */
function tenantsOfNone(named: readonly NamedIssuer[]): readonly string[] {
  const left = new Set(named.flatMap(({ without }) => without ?? []));
  return [...left].filter((tenant) =>
    named.every(({ names: [name], without = [] }) =>
      name.includes(tenantPlaceholder) ? without.includes(tenant) : !name.includes(tenant),
    ),
  );
}

/** All issuers whose tokens are taken. An entry whose issuers have keys of their own stands for several. */
export function tokenIssuers({ auth, tenancy }: Pick<HelperSettings, 'auth' | 'tenancy'>): readonly TokenIssuer[] {
  return tokenEntries(auth).flatMap(({ settings, path }, entry): readonly TokenIssuer[] => {
    const { preset, secret, publicKeyFile, jwksUrl, algorithms, clockTolerance } = settings;
    const known = preset === null ? undefined : issuerPresets[preset];
    const named = namedIssuers(settings);
    const common = {
      ...{ secret, publicKeyFile, jwksUrl, algorithms, clockTolerance, path, entry, discovery: null },
      audiences: audiencesOf(settings, named),
      clients: listed(settings.clients),
      clientsOfProject: known?.clientsOfProject ?? false,
      tenants: listed(settings.tenants),
      tenantClaim: known?.tenantClaim ?? tenancy.claim ?? undefined,
    };
    if (secret !== null || publicKeyFile !== null || jwksUrl !== null) {
      return [{ ...common, issuers: named.flatMap(({ names }) => names), withoutTenants: tenantsOfNone(named) }];
    }
    return named
      .flatMap((one) => withTenants(one, settings))
      .map((one) => ({
        ...common,
        ...(one.keySet === undefined ? { discovery: one.discovery } : { jwksUrl: one.keySet }),
        issuers: one.names,
        withoutTenants: one.without ?? [],
        ...(one.tenant === undefined ? {} : { ofTenant: one.tenant, tenants: [] }),
      }));
  });
}

/** An issuer, and the one tenant that it is of. */
interface IssuerOfTenant extends NamedIssuer {
  readonly tenant?: string;
}

/** Each tenant of a list has keys of its own, but those of Entra share theirs. */
function withTenants(named: NamedIssuer, { preset, tenants }: TokenIssuerSettings): readonly IssuerOfTenant[] {
  const [name] = named.names;
  const ids = listed(tenants);
  if (preset === 'entra' || isEntra(name) || ids.length === 0 || !name.includes(tenantPlaceholder)) return [named];
  return ids.map((id) => {
    const own = name.replace(tenantPlaceholder, id);
    return { names: [own] as const, discovery: own, tenant: id };
  });
}

function audiencesOf({ preset, audience }: TokenIssuerSettings, named: readonly NamedIssuer[]): readonly string[] {
  const written = listed(audience);
  const derived = preset === null ? undefined : issuerPresets[preset].audience;
  return written.length > 0 || derived === undefined ? written : named.map(({ names: [name] }) => derived(name));
}

/** How claims become users, for each entry. */
export function entryClaims({ auth, tenancy }: Pick<HelperSettings, 'auth' | 'tenancy'>): readonly EntryClaims[] {
  const entries = tokenEntries(auth);
  return entries.map(({ settings }) => {
    const { preset, nameClaim, roleClaim, audience, clients, mapInboundClaims, sharedUsers } = settings;
    const { secret, publicKeyFile, jwksUrl } = settings;
    const known = preset === null ? undefined : issuerPresets[preset];
    const names = listed(nameClaim);
    const roles = listed(roleClaim);
    const named = namedIssuers(settings);
    // Without tenancy.claim the key of a user has no tenant, and an id may be there in each of them.
    const isOfTenants = tenancy.claim === null && named.some(({ names: [name] }) => name.includes(tenantPlaceholder));
    // With a key of its own an entry is one issuer, whatever names that has.
    const hasKey = secret !== null || publicKeyFile !== null || jwksUrl !== null;
    const isOfSeveral = entries.length > 1 || (named.length > 1 && !hasKey);
    return {
      mapInboundClaims,
      nameClaims: names.length > 0 ? names : (known?.nameClaims ?? usualNames),
      idNameClaim: names[0] ?? 'name',
      roleClaims: roles.length > 0 ? roles : (known?.roleClaims([...listed(clients), ...listed(audience)]) ?? ['role']),
      ownUsers: !sharedUsers && named.length > 0 && (isOfSeveral || isOfTenants),
    };
  });
}
