import type { Admission } from '../../channels/shared/admit-requests.ts';
import { RequestIdentity, type RequestIdentityOptions } from '../../channels/shared/request-identity.ts';
import { createRequestRate } from '../../channels/shared/request-rate.ts';
import type { HelperSettings } from '../../config/settings.ts';
import type { MountServices } from './mount-channel.ts';

/** What protects an endpoint for programs. */
type Protected = Pick<
  NonNullable<HelperSettings['endpoints']['a2a']>,
  'requireAuthorization' | 'roles' | 'rateLimit'
> | null;

const everybody = { requireAuthorization: false, roles: [], rateLimit: null };

/**
 * Who may use an endpoint that is for programs. A cookie signs nobody in there: a browser sends it without anybody's wish. The requests are
 * counted apart from those of other endpoints. `vouch`: says who calls in place of tokens.
 */
export function admissionOfPrograms(
  { admission, prepared, metrics, clock }: MountServices,
  endpoint: Protected,
  vouch?: RequestIdentityOptions['vouch'],
): Admission {
  const { requireAuthorization, roles, rateLimit } = endpoint ?? everybody;
  const rate =
    rateLimit === null
      ? undefined
      : createRequestRate({ ...rateLimit, metrics: metrics.metrics, now: () => clock.elapsed() });
  const { authenticator } = prepared;
  const identity = new RequestIdentity({ authenticator, cookie: undefined, hubPath: '', vouch });
  return { ...admission, identity, authorization: { requireAuthorization, roles }, rate };
}
