import { issuerPresets, tenantPlaceholder } from '../issuer-presets.ts';
import { formatPath, type KeyPath } from '../located-value.ts';
import type { TokenIssuerSettings } from '../settings.ts';
import { listed, namedIssuers, tokenEntries, type WrittenEntry } from '../token-issuers.ts';
import type { Rule, RuleFault } from './rule.ts';

const ownKeys = ['secret', 'publicKeyFile', 'jwksUrl'] as const;

/** Tokens of an issuer are checked with exactly one kind of key (contract/identity.md#tokens). */
export const tokenKeyRule: Rule = ({ auth }) => tokenEntries(auth).flatMap(keyFaults);

function keyFaults({ settings, path }: WrittenEntry): readonly RuleFault[] {
  const [first, ...others] = ownKeys.filter((name) => settings[name] !== null);
  const { preset } = settings;
  if (namedIssuers(settings).length === 0 && preset !== null) {
    return [{ path, message: `needs issuer: preset ${preset} has it like ${issuerPresets[preset].example}` }];
  }
  if (first === undefined) {
    const isNamed = namedIssuers(settings).length > 0;
    return isNamed ? [] : [{ path, message: `needs one of ${[...ownKeys, 'issuer'].join(', ')}` }];
  }
  return others.map((name) => ({
    path: [...path, name],
    message: `is not possible beside ${formatPath([...path, first])}: tokens are checked with one kind of key`,
    follows: [...path, first],
  }));
}

/** What an issuer is written like, and what names its tenants. */
export const tokenIssuerRule: Rule = ({ auth, tenancy }) =>
  tokenEntries(auth).flatMap(({ settings, path }) => [
    ...issuerFaults(settings, path),
    ...placeholderFaults(settings, path),
    ...tenantFaults(settings, path, tenancy.claim),
  ]);

function issuerFaults({ preset, issuer }: TokenIssuerSettings, path: KeyPath): readonly RuleFault[] {
  return listed(issuer).flatMap((name, index): readonly RuleFault[] => {
    const at = Array.isArray(issuer) ? [...path, 'issuer', index] : [...path, 'issuer'];
    const wrong = preset === null ? undefined : issuerPresets[preset].fault?.(name);
    if (wrong !== undefined) return [{ path: at, message: wrong }];
    if (!/[{}]/.test(name.replace(tenantPlaceholder, ''))) return [];
    return [{ path: at, message: `may have the placeholder ${tenantPlaceholder}, once, and no other` }];
  });
}

/** Only Entra publishes one document for all its tenants. */
function placeholderFaults(settings: TokenIssuerSettings, path: KeyPath): readonly RuleFault[] {
  if (settings.tenants !== null || ownKeys.some((key) => settings[key] !== null)) return [];
  const isLost = namedIssuers(settings).some(({ discovery }) => discovery.includes(tenantPlaceholder));
  const message = `has ${tenantPlaceholder}, so it needs tenants, whose keys are then found, or jwksUrl; for Entra behind a name of your own set preset: entra`;
  return isLost ? [{ path: [...path, 'issuer'], message }] : [];
}

function tenantFaults(settings: TokenIssuerSettings, path: KeyPath, claim: string | null): readonly RuleFault[] {
  const { preset, tenants } = settings;
  if (tenants === null || claim !== null) return [];
  if (preset !== null && issuerPresets[preset].tenantClaim !== undefined) return [];
  if (namedIssuers(settings).some(({ names: [name] }) => name.includes(tenantPlaceholder))) return [];
  const message = `needs an issuer with ${tenantPlaceholder}, or tenancy.claim: nothing else says of which tenant a token is`;
  return [{ path: [...path, 'tenants'], message, follows: ['tenancy', 'claim'] }];
}

/**
 * Without a name, the users of an entry are those of a single `auth.jwt`. Of several entries whose users are these, each must say so: the same
 * id is one user at all of them.
 */
export const sharedUsersRule: Rule = ({ auth }) => {
  const sharing = tokenEntries(auth).filter(
    ({ settings }) =>
      settings.sharedUsers || (namedIssuers(settings).length === 0 && ownKeys.some((key) => settings[key] !== null)),
  );
  if (sharing.length < 2) return [];
  return sharing
    .filter(({ settings }) => !settings.sharedUsers)
    .map(({ path }) => {
      const other = sharing.find((one) => one.path !== path)?.path ?? path;
      const message = `has no issuer, so the same id would be one user here and at ${formatPath(other)}: set issuer, or sharedUsers: true where that is so`;
      return { path, message };
    });
};

/** A browser cannot say from which issuer the token of a cookie is, so there is one cookie for all. */
export const tokenCookieRule: Rule = ({ auth }) => {
  const [first, ...others] = tokenEntries(auth).filter(({ settings }) => settings.cookie !== null);
  if (first === undefined) return [];
  const at = [...first.path, 'cookie'];
  return others
    .filter(({ settings }) => settings.cookie !== first.settings.cookie)
    .map(({ path }) => ({ path: [...path, 'cookie'], message: 'must be the same for all issuers', follows: at }));
};

/** Only signed-in users may use an endpoint with `requireAuthorization` or roles, so such an endpoint needs `auth.jwt`. */
export const authorizationRule: Rule = ({ auth, endpoints: { transports, openai, agui, a2a } }) => {
  if (auth.jwt !== null) return [];
  const message = 'has no effect but to refuse everybody without auth.jwt, which signs users in';
  const follows = ['auth', 'jwt'];
  const served = {
    transports,
    ...(openai.enabled ? { openai } : {}),
    ...(agui.enabled ? { agui } : {}),
    ...(a2a === null ? {} : { a2a }),
  };
  return Object.entries(served).flatMap(([name, { requireAuthorization, roles }]): readonly RuleFault[] => {
    const at = (key: string): RuleFault => ({ path: ['endpoints', name, key], message, follows });
    return [...(requireAuthorization ? [at('requireAuthorization')] : []), ...(roles.length > 0 ? [at('roles')] : [])];
  });
};
