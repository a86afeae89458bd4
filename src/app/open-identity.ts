import type { LoadedPlugin } from '../adapters/plugin-directory/loaded-plugin.ts';
import type { HelperSettings } from '../config/settings.ts';
import { StartupFaults } from '../core/errors/startup-fault.ts';
import { Authenticator, type ClaimsTransform } from '../core/identity/authenticator.ts';
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
  const { jwt, claimsTransformation } = settings.auth;
  return new Authenticator({
    verifier: await openVerifier(settings, services),
    rules: {
      // Without tokens there are no claims, so these settings are never read.
      mapInboundClaims: jwt?.mapInboundClaims ?? true,
      nameClaim: jwt?.nameClaim ?? 'name',
      roleClaim: jwt?.roleClaim ?? 'role',
      addRoles: claimsTransformation.addRoles,
      tenantClaim: settings.tenancy.claim ?? undefined,
    },
    transforms: plugins.flatMap(claimsTransform),
    anonymousIdentity: settings.anonymousIdentity,
    log: services.log,
  });
}

/**
 * The part that checks tokens by `auth.jwt`; undefined on a server where nobody signs in.
 * @throws StartupFaults for a key that cannot be used.
 */
export async function openVerifier(
  settings: HelperSettings,
  { log, metrics, clock }: IdentityServices,
): Promise<TokenVerifier | undefined> {
  const { jwt } = settings.auth;
  if (jwt === null) return undefined;
  // Loaded only here: a server without tokens needs no memory for reading them.
  const { openTokenVerifier, TokenSettingFault } = await import('../adapters/identity/open-token-verifier.ts');
  try {
    return openTokenVerifier(jwt, { log, metrics, now: () => clock.now() });
  } catch (error) {
    if (!(error instanceof TokenSettingFault)) throw error;
    const path = `auth.jwt.${error.setting}`;
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
