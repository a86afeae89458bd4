import { createHmac, randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Session } from '../../core/sessions/session.ts';
import { HelperError } from '../../core/errors/helper-error.ts';
import { requireOwner } from '../../core/identity/owner-check.ts';
import type { Principal } from '../../core/identity/principal.ts';
import { reportSecurity } from '../../core/identity/report-security.ts';
import type { RefusalReason } from '../../core/errors/error-codes.ts';
import type { DoorRefusal, OwnerRefusal, SecurityEvent } from '../../core/events/security-event.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { Metrics } from '../../core/ports/metrics.ts';
import { networkOf } from './client-network.ts';

/** What a refusal is about. */
type Subject = Pick<SecurityEvent, 'session' | 'turnId' | 'actionId'>;

/** What the doors of the server write to the security log: who was refused what. */
export class SecurityLog {
  readonly #services: { readonly log: Logger; readonly metrics: Pick<Metrics, 'securityEvent'> };
  /** Per process, and never kept: without it nobody can try out which address a hash stands for. */
  readonly #key = randomBytes(32);

  constructor(log: Logger, metrics: Pick<Metrics, 'securityEvent'>) {
    this.#services = { log, metrics };
  }

  /** How the log names a caller: the user key, or for whoever is not signed in a keyed hash of the address. */
  presenterOf(caller: Principal | undefined, address: string): string {
    return caller?.kind === 'signed-in' ? caller.userKey : `address:${this.#hashed(networkOf(address))}`;
  }

  /** Writes the line of a request that was not let in, if that is why it failed. */
  noteRefusal(request: FastifyRequest, error: unknown): void {
    if (!(error instanceof HelperError) || error.refusal === undefined) return;
    const { refusal: reason } = error;
    reportSecurity({ what: whatIs(reason), reason, ...this.#origin(request) }, this.#services);
  }

  /** Writes the line of a request that asked for what is another's, if that is why it failed. */
  noteOwnerFault(request: FastifyRequest, error: unknown, refused: Pick<OwnerRefusal, 'what'> & Subject): void {
    if (!(error instanceof HelperError)) return;
    const { code: reason } = error;
    if (reason !== 'unauthenticated' && reason !== 'not_owner') return;
    reportSecurity({ ...refused, reason, ...this.#origin(request) }, this.#services);
  }

  /** Writes the line of a turn that was not resumed for its caller. */
  noteResume(resume: { readonly who: string; readonly turnId: string } & Pick<OwnerRefusal, 'reason'>): void {
    reportSecurity({ what: 'resume_refused', ...resume }, this.#services);
  }

  /**
   * `requireOwner` for a session, with a line of what was refused.
   * @throws HelperError `unauthenticated` or `not_owner` when it is not the caller's.
   */
  requireOwnSession(request: FastifyRequest, session: Session, what: OwnerRefusal['what']): void {
    try {
      requireOwner(session.principal, callerOf(request));
    } catch (error) {
      this.noteOwnerFault(request, error, { what, session: this.#nameOf(session) });
      throw error;
    }
  }

  /** The id of an anonymous connection opens it, so it stands in no log (contract/operations.md#logs). */
  #nameOf({ id, principal }: Session): string {
    return principal.kind === 'signed-in' ? id : `anonymous:${this.#hashed(id)}`;
  }

  #origin(request: FastifyRequest): Pick<SecurityEvent, 'who' | 'request' | 'requestId'> {
    const who = this.presenterOf(request.helperCaller?.principal, request.ip);
    return { who, request: `${request.method} ${request.routeOptions.url ?? ''}`, requestId: request.id };
  }

  #hashed(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url').slice(0, 22);
  }
}

function whatIs(reason: RefusalReason): DoorRefusal['what'] {
  if (reason === 'role') return 'entry_refused';
  if (reason === 'request_rate') return 'rate_limited';
  return reason === 'origin' || reason === 'host' ? 'origin_refused' : 'authentication_failed';
}

function callerOf(request: FastifyRequest): Principal {
  if (request.helperCaller === undefined) throw new Error('the identity of this request was never read');
  return request.helperCaller.principal;
}
