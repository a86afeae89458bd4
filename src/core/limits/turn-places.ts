import { TurnError } from '../errors/turn-error.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { CallerRoom, Place } from './caller-room.ts';
import type { CountedCaller } from './counted-caller.ts';

/** What decides whether a turn needs a place. */
interface AdmittedRun {
  readonly refusal: TurnError | undefined;
  readonly stopped: boolean;
  readonly suspended?: unknown;
  readonly reopened?: unknown;
}

/** How many turns each caller has running (`server.maxTurnsPerUser`, `server.maxTurnsPerAddress`). */
export class TurnPlaces {
  readonly #room: CallerRoom;
  readonly #metrics: Pick<Metrics, 'rateLimited'>;

  constructor(room: CallerRoom, metrics: Pick<Metrics, 'rateLimited'>) {
    this.#room = room;
    this.#metrics = metrics;
  }

  /**
   * Gives a turn its place among those of its caller. One too many is refused as `overloaded`. A turn that was begun before
   * goes on in any case, and counts. A turn that ends before anything runs needs no place.
   */
  admit<Run extends AdmittedRun>(
    run: Run,
    caller: CountedCaller | undefined,
  ): { readonly run: Run; readonly place: Place | undefined } {
    if (run.refusal !== undefined || run.stopped) return { run, place: undefined };
    const goesOn = run.suspended !== undefined || run.reopened !== undefined;
    const place = goesOn ? this.#room.hold(caller) : this.#room.take(caller);
    if (place !== undefined) return { run, place };
    this.#metrics.rateLimited('turn');
    return { run: { ...run, refusal: tooManyTurns() }, place: undefined };
  }
}

function tooManyTurns(): TurnError {
  return new TurnError('refused', 'overloaded', 'too many turns of this caller run', { retryable: true });
}
