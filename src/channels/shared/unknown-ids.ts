import type { FastifyRequest } from 'fastify';
import { HelperError } from '../../core/errors/helper-error.ts';
import { type CountedCaller, countedCaller, tenantOfCaller } from '../../core/limits/counted-caller.ts';
import { RateWindow } from '../../core/limits/rate-window.ts';
import type { Metrics } from '../../core/ports/metrics.ts';
import { networkOf } from './client-network.ts';
import type { RequestIdentity } from './request-identity.ts';
import type { SecurityLog } from './security-log.ts';

/** Milliseconds in which a caller's ids are counted. */
const windowMs = 60_000;
/** How many of them a caller may ask for in any case, and how many for each connection that it may have: a reply that was lost, and the turn before. */
const fewest = 100;
const perConnection = 2;

export interface UnknownIdsOptions {
  /** The connections that a signed-in user, and all anonymous callers of one address, may have. After a replica has died all of them ask. */
  readonly connections: Readonly<Record<CountedCaller['kind'], number>>;
  readonly metrics: Pick<Metrics, 'of'>;
  readonly security: Pick<SecurityLog, 'noteLimit'>;
  /** Milliseconds of a clock that is never set. */
  readonly now: () => number;
}

/**
 * Bounds how often a caller may ask for turns and questions that nobody knows, or that are somebody else's. Each time another replica and the
 * database are asked as well (contract/replicas.md#turns).
 */
export class UnknownIds {
  readonly #options: UnknownIdsOptions;
  readonly #asked: Readonly<Record<CountedCaller['kind'], RateWindow>>;

  constructor(options: UnknownIdsOptions) {
    const { connections, now } = options;
    const windowFor = (many: number): RateWindow =>
      new RateWindow({ max: Math.max(fewest, perConnection * many), windowMs, now });
    this.#options = options;
    this.#asked = { user: windowFor(connections.user), address: windowFor(connections.address) };
  }

  /**
   * What `find` finds for a caller. It was asked in vain when it gives undefined, or throws `nothing_to_answer` without an outcome or that the thing is
   * somebody else's.
   * @throws HelperError `rate_limited` when the caller has asked for too many ids that nobody knows; what `find` throws.
   */
  async look<Found>(caller: CountedCaller, find: () => Promise<Found>): Promise<Found> {
    const { kind, key } = caller;
    const asked = this.#asked[kind];
    const waitMs = asked.waitOf(key);
    if (waitMs > 0) throw this.#tooMany(caller, waitMs);
    try {
      const found = await find();
      if (found === undefined) asked.take(key);
      return found;
    } catch (error) {
      if (isVain(error)) asked.take(key);
      throw error;
    }
  }

  #tooMany(caller: CountedCaller, retryAfterMs: number): HelperError {
    this.#options.security.noteLimit('unknown_ids', caller);
    this.#options.metrics.of(tenantOfCaller(caller)).rateLimited('request');
    return new HelperError('rate_limited', 'Too many ids that nobody knows. Retry-After says when to try again.', {
      retryAfterMs,
    });
  }
}

/** What `find` finds for the caller of a request, as `UnknownIds.look` where the admission bounds it. */
export function lookFor<Found>(
  request: FastifyRequest,
  { identity, unknownIds }: { readonly identity: RequestIdentity; readonly unknownIds?: UnknownIds | undefined },
  find: () => Promise<Found>,
): Promise<Found> {
  const caller = countedCaller(identity.of(request).principal, networkOf(request.ip));
  return unknownIds === undefined || caller === undefined ? find() : unknownIds.look(caller, find);
}

function isVain(error: unknown): boolean {
  if (!(error instanceof HelperError)) return false;
  const { code, details } = error;
  return (
    code === 'not_owner' || code === 'unauthenticated' || (code === 'nothing_to_answer' && !('outcome' in details))
  );
}
