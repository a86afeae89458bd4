import { pingFrame } from './sse-frame.ts';
import type { StreamBody } from './stream-body.ts';

/** Keeps idle proxies from closing quiet streams: one timer for all of them, which runs while there are any. */
export class PingClock {
  readonly #intervalMs: number;
  readonly #bodies = new Set<StreamBody>();
  #timer: NodeJS.Timeout | undefined;

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs;
  }

  add(body: StreamBody): void {
    this.#bodies.add(body);
    this.#timer ??= setInterval(() => {
      this.#ping();
    }, this.#intervalMs);
  }

  delete(body: StreamBody): void {
    this.#bodies.delete(body);
    if (this.#bodies.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #ping(): void {
    // A ping that finds no room is not worth waiting for.
    for (const body of this.#bodies) if (!body.isFull) body.write(pingFrame, () => undefined);
  }
}
