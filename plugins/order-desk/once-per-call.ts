/** Enough for every call that could still be repeated; the oldest are forgotten. */
const mostCalls = 1000;

/**
 * Makes a change safe to repeat. `context.callId` stays the same when the server runs a call again, after a lost
 * connection for example: the change is made the first time, and every repetition gets the result of it.
 */
export class OncePerCall {
  readonly #results = new Map<string, unknown>();

  /** Runs `change` unless this call ran before. A change that throws is not remembered: it changed nothing. */
  run(callId: string, change: () => unknown): unknown {
    if (this.#results.has(callId)) return this.#results.get(callId);
    const result = change();
    this.#results.set(callId, result);
    const [oldest] = this.#results.keys();
    if (this.#results.size > mostCalls && oldest !== undefined) this.#results.delete(oldest);
    return result;
  }
}
