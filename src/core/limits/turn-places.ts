import { TurnError } from '../errors/turn-error.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { CallerRoom, Place } from './caller-room.ts';
import { type CountedCaller, tenantOfCaller } from './counted-caller.ts';

/** What decides whether a turn needs a place. */
interface Start {
  readonly refusal?: TurnError;
  readonly stopped?: boolean;
  /** The state of a turn that an earlier process has kept. */
  readonly kept?: unknown;
  readonly copyOf?: unknown;
}

/** How many turns each caller has running (`server.maxTurnsPerUser`, `server.maxTurnsPerAddress`). */
export class TurnPlaces {
  readonly #room: CallerRoom;
  readonly #metrics: Pick<Metrics, 'of'>;

  constructor(room: CallerRoom, metrics: Pick<Metrics, 'of'>) {
    this.#room = room;
    this.#metrics = metrics;
  }

  /**
   * Gives a turn its place among the turns of its caller. A turn over the limit is refused as `overloaded`. A turn that an earlier process
   * or a snapshot began goes on even over the limit, and counts. A turn that ends before anything runs needs no place.
   */
  admit<Beginning extends Start>(
    start: Beginning,
    caller: CountedCaller | undefined,
  ): { readonly admitted: Beginning; readonly place: Place | undefined } {
    if (start.refusal !== undefined || start.stopped === true) return { admitted: start, place: undefined };
    const goesOn = start.kept !== undefined || start.copyOf !== undefined;
    const place = goesOn ? this.#room.hold(caller) : this.#room.take(caller);
    if (place !== undefined) return { admitted: start, place };
    this.#metrics.of(tenantOfCaller(caller)).rateLimited('turn');
    return { admitted: { ...start, refusal: tooManyTurns() }, place: undefined };
  }
}

function tooManyTurns(): TurnError {
  const message = 'too many turns of this caller run';
  return new TurnError('refused', 'overloaded', message, { retryable: true, limit: 'turns' });
}
