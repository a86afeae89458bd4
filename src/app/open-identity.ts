import type { LoadedPlugin } from '../adapters/plugin-directory/loaded-plugin.ts';
import { formatPath } from '../config/located-value.ts';
import type { HelperSettings } from '../config/settings.ts';
import { entryClaims, tokenEntries, tokenIssuers } from '../config/token-issuers.ts';
import { StartupFaults } from '../core/errors/startup-fault.ts';
import { Authenticator, type ClaimsTransform } from '../core/identity/authenticator.ts';
import type { ClaimRules } from '../core/identity/principal-of-claims.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { Metrics } from '../core/ports/metrics.ts';
import type { TokenVerifier } from '../core/ports/token-verifier.ts';
import { toolUser } from '../core/tools/tool-user.ts';
import { inTime } from './in-time.ts';

interface IdentityServices {
  readonly log: Logger;
  readonly metrics: Pick<Metrics, 'issuerFailed'>;
  readonly clock: Clock;
}

/**
 * Builds the part that tells users apart (contract/identity.md#tokens, `auth`), without asking an issuer yet.
 * @throws StartupFaults for a key that cannot be used.
 */
export async function openIdentity(
  settings: HelperSettings,
  plugins: readonly LoadedPlugin[],
  services: IdentityServices,
): Promise<Authenticator> {
  const rulesOfIssuers = claimRules(settings);
  return new Authenticator({
    verifier: await openVerifier(settings, services),
    // The claims of a user whom the host vouches for are read like those of the first issuer.
    rules: { ...(rulesOfIssuers[0] ?? rulesWithoutTokens(settings)), ownUsers: false },
    rulesOfIssuers,
    transforms: plugins.flatMap(claimsTransform),
    anonymousIdentity: settings.anonymousIdentity,
    log: services.log,
  });
}

/** How the claims of tokens become users, for each entry of `auth.jwt`. */
export function claimRules(settings: Pick<HelperSettings, 'auth' | 'tenancy'>): readonly ClaimRules[] {
  const { addRoles } = settings.auth.claimsTransformation;
  const tenantClaim = settings.tenancy.claim ?? undefined;
  return entryClaims(settings).map((claims) => ({ ...claims, addRoles, tenantClaim }));
}

function rulesWithoutTokens({ auth, tenancy }: HelperSettings): ClaimRules {
  return {
    ...{ mapInboundClaims: true, nameClaims: ['name'], idNameClaim: 'name', roleClaims: ['role'] },
    addRoles: auth.claimsTransformation.addRoles,
    tenantClaim: tenancy.claim ?? undefined,
  };
}

/**
 * The part that checks tokens by `auth.jwt`; undefined on a server where nobody signs in.
 * @throws StartupFaults for a key that cannot be used.
 */
export async function openVerifier(
  settings: HelperSettings,
  { log, metrics, clock }: IdentityServices,
): Promise<TokenVerifier | undefined> {
  const issuers = tokenIssuers(settings);
  if (issuers.length === 0) return undefined;
  // Loaded only here: a server without tokens needs no memory for reading them.
  const { openTokenVerifier, TokenSettingFault } = await import('../adapters/identity/open-token-verifier.ts');
  try {
    return openTokenVerifier(issuers, { log, metrics, now: () => clock.now() });
  } catch (error) {
    if (!(error instanceof TokenSettingFault)) throw error;
    const { path: at = ['auth', 'jwt'] } = tokenEntries(settings.auth)[error.entry] ?? {};
    const path = formatPath([...at, error.setting]);
    throw new StartupFaults([{ file: settings.configFile, path, message: error.message }]);
  }
}

/**
 * The claims hook of a plugin. The hook gets the same view of a user as actions do. Its result is checked, because only its author vouches
 * for it.
 */
function claimsTransform({ hooks, name }: LoadedPlugin): readonly ClaimsTransform[] {
  if (hooks.transformClaims === undefined) return [];
  const transform = inTime(hooks.transformClaims);
  return [
    async (user) => {
      const added: unknown = (await transform(toolUser(user))) ?? {};
      const { roles = [], claims = {} } = typeof added === 'object' && added !== null ? membersOf(added) : {};
      if (!isListOfTexts(roles)) throw new TypeError(`${name}: transformClaims must return roles as a list of texts`);
      if (typeof claims !== 'object' || claims === null) {
        throw new TypeError(`${name}: transformClaims must return claims as an object`);
      }
      return { roles, claims: { ...claims } };
    },
  ];
}

function membersOf(added: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(added));
}

function isListOfTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
