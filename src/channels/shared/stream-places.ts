import { HelperError } from '../../core/errors/helper-error.ts';
import type { CallerRoom } from '../../core/limits/caller-room.ts';
import { type CountedCaller, tenantOfCaller } from '../../core/limits/counted-caller.ts';
import type { ConnectionChannel, Metrics } from '../../core/ports/metrics.ts';
import { type Answer, onceOver } from './once-over.ts';

export interface StreamPlacesOptions {
  /** Most open streams (`server.maxConnections`). */
  readonly maxStreams: number;
  /** The connections and running turns of each caller, over all channels. */
  readonly rooms: { readonly connections: CallerRoom; readonly turns: CallerRoom };
  readonly metrics: Pick<Metrics, 'of'>;
  /** The channel whose streams are counted. */
  readonly channel: ConnectionChannel;
}

/** Counts the open streams, in all and per caller. */
export class StreamPlaces {
  readonly #options: StreamPlacesOptions;
  #open = 0;

  constructor(options: StreamPlacesOptions) {
    this.#options = options;
  }

  /** @throws HelperError `overloaded` when the server has no room for one more, `rate_limited` when its caller has none. */
  check(caller: CountedCaller | undefined): void {
    const { maxStreams, rooms } = this.#options;
    if (this.#open >= maxStreams) throw new HelperError('overloaded', 'Too many streams are open.');
    if (!rooms.connections.has(caller)) throw this.#tooMany('connection', caller);
  }

  /** `check` for a stream that begins a turn. @throws HelperError also `rate_limited` when the caller has as many turns running as it may. */
  checkTurn(caller: CountedCaller | undefined): void {
    this.check(caller);
    if (!this.#options.rooms.turns.has(caller)) throw this.#tooMany('turn', caller);
  }

  /** Counts a stream until nobody reads it any more. */
  take(answer: Answer, caller: CountedCaller | undefined): void {
    const { rooms, metrics, channel } = this.#options;
    const place = rooms.connections.hold(caller);
    this.#open += 1;
    const openedAt = performance.now();
    const tenant = tenantOfCaller(caller);
    metrics.of(tenant).connectionOpened(channel);
    onceOver(answer, () => {
      place.release();
      this.#open -= 1;
      metrics.of(tenant).connectionEnded(channel, performance.now() - openedAt);
    });
  }

  #tooMany(what: 'connection' | 'turn', caller: CountedCaller | undefined): HelperError {
    this.#options.metrics.of(tenantOfCaller(caller)).rateLimited(what);
    return new HelperError('rate_limited', `Too many ${what}s of this caller are open. Try again.`, {
      retryAfterMs: 1000,
      refusal: `${what}s`,
    });
  }
}
