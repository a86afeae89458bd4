import { readKeySet } from '../adapters/identity/key-set.ts';
import { keySourceOf } from '../adapters/identity/open-token-verifier.ts';
import { describeError } from '../adapters/shared/describe-error.ts';
import { formatPath } from '../config/located-value.ts';
import type { HelperSettings } from '../config/settings.ts';
import { entryClaims, type TokenIssuer, tokenIssuers } from '../config/token-issuers.ts';

/** What an issuer of `auth.jwt` has published, and what its tokens must have. Nothing of it is secret. */
export interface IssuerTrial {
  /** Where it is written: `auth.jwt`, `auth.jwt[1]`. */
  readonly entry: string;
  readonly ok: boolean;
  /** What was found of its keys, or why they cannot be had. */
  readonly keys: string;
  readonly token: readonly string[];
}

/** Fetches the keys of each issuer, once and without those that are kept. */
export function tryIssuers(settings: Pick<HelperSettings, 'auth' | 'tenancy'>): Promise<readonly IssuerTrial[]> {
  return Promise.all(
    tokenIssuers(settings).map(async (issuer): Promise<IssuerTrial> => {
      const entry = formatPath(issuer.path);
      const token = demandsOf(issuer, settings);
      const source = keySourceOf(issuer);
      if (source === undefined) return { entry, ok: true, keys: 'in the settings', token };
      try {
        const { keySet, issuers } = await source();
        const { usable, leftOut } = readKeySet(keySet);
        const others = leftOut === 0 ? '' : `, ${String(leftOut)} of other kinds or too short`;
        const named = issuers.length === 0 ? '' : `; access tokens name ${issuers.join(', ')}`;
        return { entry, ok: usable > 0, keys: `${String(usable)} that sign tokens${others}${named}`, token };
      } catch (error) {
        return { entry, ok: false, keys: describeError(error), token };
      }
    }),
  );
}

/** What a token must have, as `CLAIM: values`. */
function demandsOf(issuer: TokenIssuer, settings: Pick<HelperSettings, 'auth' | 'tenancy'>): readonly string[] {
  const { issuers, audiences, clients, clientsOfProject, tenants, tenantClaim, algorithms } = issuer;
  const roles = entryClaims(settings)[issuer.entry]?.roleClaims ?? [];
  const { claim } = settings.tenancy;
  const oneOf = (name: string, values: readonly string[]): readonly string[] =>
    values.length === 0 ? [] : [`${name}: ${values.join(' or ')}`];
  return [
    ...oneOf('iss', issuers),
    ...oneOf(clients.length > 0 ? 'aud, if it has one' : 'aud', audiences),
    ...oneOf(clientsOfProject ? 'aud' : 'client_id, azp, cid or appid, else aud', clients),
    ...oneOf(
      issuers.some((name) => name.includes('{tenantid}')) ? 'tenant of iss' : (tenantClaim ?? 'tenant'),
      tenants,
    ),
    ...oneOf('alg', algorithms),
    'exp',
    ...(claim === null ? [] : [`${claim}: the tenant`]),
    `roles: ${[...new Set([...roles, 'role', 'roles'])].join(', ')}`,
  ];
}
