import type { ServerResponse } from 'node:http';
import { pingFrame } from './sse-frame.ts';

/** Keeps idle proxies from closing quiet streams: one timer for all of them, which runs while there are any. */
export class PingClock {
  readonly #intervalMs: number;
  readonly #responses = new Set<ServerResponse>();
  #timer: NodeJS.Timeout | undefined;

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs;
  }

  add(response: ServerResponse): void {
    this.#responses.add(response);
    this.#timer ??= setInterval(() => {
      this.#ping();
    }, this.#intervalMs);
  }

  delete(response: ServerResponse): void {
    this.#responses.delete(response);
    if (this.#responses.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #ping(): void {
    for (const response of this.#responses) if (!response.writableNeedDrain) response.write(pingFrame);
  }
}
