import type { FastifyRequest } from 'fastify';

/** Room for one connection. Whoever gets it must release it. */
export interface Place {
  /** Does nothing a second time. */
  release(): void;
}

/** Decides how many connections each caller may have. The application may also count other things that the caller holds. */
export interface CallerPlaces {
  /** Whether the caller of a request may have one more. */
  hasRoom(request: FastifyRequest): boolean;
  /** Counts one more connection for the caller of a request. */
  take(request: FastifyRequest): Place;
}

/** Limits each caller to `max` connections. `keyOf` tells callers apart. */
export function placesPerKey(max: number, keyOf: (request: FastifyRequest) => string): CallerPlaces {
  const taken = new Map<string, number>();
  const takenBy = (key: string): number => taken.get(key) ?? 0;
  return {
    hasRoom: (request) => takenBy(keyOf(request)) < max,
    take: (request) => {
      const key = keyOf(request);
      taken.set(key, takenBy(key) + 1);
      return placeOf(() => {
        const left = takenBy(key) - 1;
        if (left > 0) taken.set(key, left);
        else taken.delete(key);
      });
    },
  };
}

/** Counts the connections there are and those about to be, in all and per caller. */
export class ConnectionPlaces {
  readonly #callers: CallerPlaces;
  #taken = 0;

  constructor(callers: CallerPlaces) {
    this.#callers = callers;
  }

  get taken(): number {
    return this.#taken;
  }

  hasRoom(request: FastifyRequest): boolean {
    return this.#callers.hasRoom(request);
  }

  take(request: FastifyRequest): Place {
    const place = this.#callers.take(request);
    this.#taken += 1;
    return placeOf(() => {
      this.#taken -= 1;
      place.release();
    });
  }
}

function placeOf(giveBack: () => void): Place {
  let isTaken = true;
  return {
    release: () => {
      if (!isTaken) return;
      isTaken = false;
      giveBack();
    },
  };
}
