/** The most calls that are remembered. Older calls are forgotten, because nobody repeats them any more. */
const mostCalls = 1000;

/**
 * Makes a change safe to repeat. When the server runs a call again, for example after a lost connection, `context.callId` stays the same.
 * The first run makes the change, and every repetition gets its result.
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
