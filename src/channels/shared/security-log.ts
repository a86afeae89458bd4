import { createHmac, randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Session } from '../../core/sessions/session.ts';
import { HelperError } from '../../core/errors/helper-error.ts';
import { requireOwner } from '../../core/identity/owner-check.ts';
import type { Principal } from '../../core/identity/principal.ts';
import { RecentSecurity } from '../../core/identity/recent-security.ts';
import { countSecurity, reportSecurity, type SecurityServices } from '../../core/identity/report-security.ts';
import type { CallerLimit, RefusalReason } from '../../core/errors/error-codes.ts';
import type { DoorRefusal, OwnerRefusal, SecurityEvent } from '../../core/events/security-event.ts';
import type { CountedCaller } from '../../core/limits/counted-caller.ts';
import type { RefusalLog } from '../../core/limits/refusal-log.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { Metrics } from '../../core/ports/metrics.ts';
import { networkOf } from './client-network.ts';
import { RefusalLines } from '../../core/limits/refusal-lines.ts';

/** The thing that somebody was refused. */
type Subject = Pick<SecurityEvent, 'session' | 'turnId' | 'actionId'>;

/**
 * The part of the security log about refused requests. Every refusal is counted, but the number of lines about one caller and about all
 * callers is limited, so that nobody can fill the disk with repeated requests (`wire-6-51`).
 */
export class SecurityLog implements RefusalLog {
  /** The newest lines, those of decisions included. */
  readonly recent = new RecentSecurity(() => Date.now());

  readonly #services: SecurityServices;
  /** A random key for each process, which is never stored. Nobody without the key can find an address by trying out hashes. */
  readonly #key = randomBytes(32);

  readonly #lines: RefusalLines;

  /** `now`: milliseconds of a clock that never jumps. */
  constructor(log: Logger, metrics: Pick<Metrics, 'of'>, now: () => number = () => performance.now()) {
    this.#services = { log, metrics, recentSecurity: this.recent };
    this.#lines = new RefusalLines(now);
  }

  /** The log's name for a caller: the user key, or a keyed hash of the address for a caller who is not signed in. */
  presenterOf(caller: Principal | undefined, address: string): string {
    return caller?.kind === 'signed-in' ? caller.userKey : this.#addressName(networkOf(address));
  }

  /** Writes the line of a refused request, if `error` is a refusal at the door. */
  noteRefusal(request: FastifyRequest, error: unknown): void {
    if (!(error instanceof HelperError) || error.refusal === undefined) return;
    this.noteReason(request, error.refusal);
  }

  /** Writes the line of a request that was not let in. */
  noteReason(request: FastifyRequest, reason: RefusalReason): void {
    this.#refused({ what: whatIs(reason), reason, ...this.#origin(request) });
  }

  noteLimit(reason: CallerLimit, caller: CountedCaller | undefined, turn: Pick<SecurityEvent, 'turnId'> = {}): void {
    this.#refused({ what: 'rate_limited', reason, who: this.#presented(caller), ...turn });
  }

  /** Writes the line of a request for something of another user, if `error` says so. */
  noteOwnerFault(request: FastifyRequest, error: unknown, refused: Pick<OwnerRefusal, 'what'> & Subject): void {
    if (!(error instanceof HelperError)) return;
    const { code: reason } = error;
    if (reason !== 'unauthenticated' && reason !== 'not_owner') return;
    this.#refused({ ...refused, reason, ...this.#origin(request) });
  }

  /** Writes the line of a turn that the caller wanted to resume and may not. */
  noteResume(resume: { readonly who: string; readonly turnId: string } & Pick<OwnerRefusal, 'reason'>): void {
    this.#refused({ what: 'resume_refused', ...resume });
  }

  /**
   * `requireOwner` for a session, which also writes a line about a refusal.
   * @throws HelperError `unauthenticated` or `not_owner` when the session is not the caller's.
   */
  requireOwnSession(request: FastifyRequest, session: Session, what: OwnerRefusal['what']): void {
    try {
      requireOwner(session.principal, callerOf(request));
    } catch (error) {
      this.noteOwnerFault(request, error, { what, session: this.#nameOf(session) });
      throw error;
    }
  }

  /**
   * Whoever has the id of an anonymous connection can use the connection, so the log holds a hash in place of that id
   * (contract/operations.md#logs).
   */
  #nameOf({ id, principal }: Session): string {
    return principal.kind === 'signed-in' ? id : `anonymous:${this.#hashed(id)}`;
  }

  #origin(request: FastifyRequest): Pick<SecurityEvent, 'who' | 'request' | 'requestId'> {
    const who = this.presenterOf(request.helperCaller?.principal, request.ip);
    return { who, request: `${request.method} ${request.routeOptions.url ?? ''}`, requestId: request.id };
  }

  #presented(caller: CountedCaller | undefined): string {
    if (caller === undefined) return 'anonymous';
    return caller.kind === 'user' ? caller.key : this.#addressName(caller.key);
  }

  #addressName(network: string): string {
    return `address:${this.#hashed(network)}`;
  }

  #refused(event: SecurityEvent): void {
    const line = this.#lines.take(event);
    if (line === undefined) countSecurity(event, this.#services.metrics);
    else reportSecurity({ ...event, ...line }, this.#services);
  }

  #hashed(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url').slice(0, 22);
  }
}

function whatIs(reason: RefusalReason): DoorRefusal['what'] {
  if (reason === 'role' || reason === 'tenant') return 'entry_refused';
  if (reason === 'origin' || reason === 'host') return 'origin_refused';
  return isCallerLimit(reason) ? 'rate_limited' : 'authentication_failed';
}

const callerLimits: Readonly<Record<CallerLimit, true>> = {
  request_rate: true,
  requests: true,
  uploads: true,
  unread: true,
  connections: true,
  turns: true,
  message_rate: true,
  budget: true,
};

function isCallerLimit(reason: RefusalReason): reason is CallerLimit {
  return Object.hasOwn(callerLimits, reason);
}

function callerOf(request: FastifyRequest): Principal {
  if (request.helperCaller === undefined) throw new Error('the identity of this request was never read');
  return request.helperCaller.principal;
}
