import type { FastifyReply } from 'fastify';
import { isOver, onceOver } from '../shared/once-over.ts';

/** Lets requests with the same key continue one after the other, in the order in which they came. */
export class ResponsesInTurn {
  readonly #waiting = new Map<string, (() => void)[]>();

  /** Calls `begin` once no earlier request with this key is running. A request runs until nobody reads its answer any more. */
  enter(key: string, reply: FastifyReply, begin: () => void): void {
    const start = (): void => {
      // The client may have left while it waited.
      if (isOver(reply)) {
        this.#leave(key);
        return;
      }
      onceOver(reply, () => {
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
