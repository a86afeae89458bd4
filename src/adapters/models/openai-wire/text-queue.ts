import type { ReplySink } from '../../../core/ports/chat-model.ts';

/** Turns pushed text into pulled text, unescaped: the bridge from `run` to LangChain's streams. */
export class TextQueue implements ReplySink, AsyncIterable<string> {
  #pieces: string[] = [];
  #ended = false;
  #wake: () => void = () => undefined;

  text(escaped: string): void {
    this.#pieces.push(escaped);
    this.#wake();
  }

  /** Ends the iteration, after what is queued, once `reply` has settled. Its fault is the caller's to read. */
  endWith(reply: Promise<unknown>): void {
    const end = (): void => {
      this.#ended = true;
      this.#wake();
    };
    reply.then(end, end);
  }

  async *[Symbol.asyncIterator](): AsyncIterator<string> {
    for (;;) {
      const pieces = this.#pieces;
      this.#pieces = [];
      for (const piece of pieces) {
        const text: unknown = JSON.parse(`"${piece}"`);
        if (typeof text === 'string') yield text;
      }
      if (this.#pieces.length > 0) continue;
      if (this.#ended) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
