import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HelperError } from '../../core/errors/helper-error.ts';
import type { Principal } from '../../core/identity/principal.ts';
import type { CrossOriginGuard } from './cross-origin.ts';
import type { RequestCaller, RequestIdentity } from './request-identity.ts';
import type { SecurityLog } from './security-log.ts';

/** Who may use an endpoint (`endpoints.*.requireAuthorization` and `roles`, contract/configuration.md). */
export interface Authorization {
  readonly requireAuthorization: boolean;
  /** One of these roles is enough. When there is any role, callers must be signed in. */
  readonly roles: readonly string[];
}

/** The checks that every request of a channel passes first. */
export interface Admission {
  readonly guard: CrossOriginGuard;
  readonly identity: RequestIdentity;
  readonly security: SecurityLog;
  /** Left out, everybody is let in. The channel itself may still check the owner. */
  readonly authorization?: Authorization;
  /** Throws HelperError `rate_limited` when this caller sends too many requests. */
  readonly rate?: ((request: FastifyRequest, caller: Principal) => void) | undefined;
}

/**
 * Lets a request in, or refuses it. The checks come in this order: 403 for another website, 401 for a token that is not valid or missing,
 * 403 for a user without the role, 429 for too many requests (contract/identity.md#tokens). After that `admission.identity` knows the
 * caller. Returns undefined when the checks need no waiting. That is the case without a token, so for every turn of an open server.
 */
export function admit(request: FastifyRequest, admission: Admission): Promise<void> | undefined {
  noted(request, admission, () => admission.guard.check(request));
  const caller = admission.identity.read(request);
  if (!(caller instanceof Promise)) {
    allow(request, caller, admission);
    return undefined;
  }
  return caller.then(
    (known) => {
      allow(request, known, admission);
    },
    (error: unknown) => {
      admission.security.noteRefusal(request, error);
      throw error;
    },
  );
}

function allow(request: FastifyRequest, { principal, carrier }: RequestCaller, admission: Admission): void {
  const { guard, authorization, rate } = admission;
  noted(request, admission, () => {
    if (carrier === 'cookie') guard.checkCookie(request);
    const refusal = authorization === undefined ? undefined : refusalOf(principal, authorization);
    if (refusal !== undefined) throw refusal;
    rate?.(request, principal);
  });
}

/** Runs a check that may refuse the request. A refusal is written to the security log. */
export function noted(
  request: FastifyRequest,
  { security }: { readonly security: Pick<SecurityLog, 'noteRefusal'> },
  check: () => void,
): void {
  try {
    check();
  } catch (error) {
    security.noteRefusal(request, error);
    throw error;
  }
}

/** Runs `admit` for every request of a channel, before its body is read. */
export function admitRequests(app: FastifyInstance, admission: Admission): void {
  app.addHook('onRequest', (request, _reply, next) => {
    const pending = admit(request, admission);
    if (pending === undefined) next();
    else pending.then(() => next(), next);
  });
}

function refusalOf(principal: Principal, { requireAuthorization, roles }: Authorization): HelperError | undefined {
  if (principal.kind === 'anonymous') {
    if (!requireAuthorization && roles.length === 0) return undefined;
    if (principal.unnamed !== true) {
      return new HelperError('unauthenticated', 'Sign in to use this.', { refusal: 'missing' });
    }
    if (roles.some((role) => principal.roles.has(role))) return undefined;
    return new HelperError('unauthenticated', 'The token is valid, but names neither a user nor a client.', {
      refusal: 'no_user',
    });
  }
  if (roles.length === 0 || roles.some((role) => principal.roles.has(role))) return undefined;
  return new HelperError('forbidden', 'Your roles do not allow this.', { refusal: 'role' });
}
