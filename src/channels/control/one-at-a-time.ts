import type { ServerResponse } from 'node:http';

/** Lets requests with the same key continue one after the other, in the order in which they came. */
export class OneAtATime {
  readonly #waiting = new Map<string, (() => void)[]>();

  /** Calls `begin` once no earlier request with this key is running. A request runs until its response is closed. */
  enter(key: string, response: ServerResponse, begin: () => void): void {
    const start = (): void => {
      // The client may have left while it waited.
      if (response.destroyed) {
        this.#leave(key);
        return;
      }
      response.once('close', () => {
        this.#leave(key);
      });
      begin();
    };
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) {
      waiting.push(start);
      return;
    }
    this.#waiting.set(key, []);
    start();
  }

  #leave(key: string): void {
    const next = this.#waiting.get(key)?.shift();
    if (next === undefined) this.#waiting.delete(key);
    else next();
  }
}
