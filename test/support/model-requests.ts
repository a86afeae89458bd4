import type { ModelRequest, ReplySink } from '../../src/core/ports/chat-model.ts';

/** A request with one user message; everything can be replaced. */
export function modelRequest(changes: Partial<ModelRequest> = {}): ModelRequest {
  return {
    instructions: 'You help.',
    messages: [{ role: 'user', text: 'Hello' }],
    tools: [],
    toolChoice: 'auto',
    signal: new AbortController().signal,
    flow: { paused: false, onResume: () => undefined },
    ...changes,
  };
}

/** A sink that keeps what it is given, and tells when the first piece is here. */
export class CollectedText implements ReplySink {
  readonly pieces: string[] = [];
  #first: () => void = () => undefined;
  readonly first = new Promise<void>((resolve) => {
    this.#first = resolve;
  });

  text(escaped: string): void {
    this.pieces.push(escaped);
    this.#first();
  }

  get unescaped(): string {
    const text: unknown = JSON.parse(`"${this.pieces.join('')}"`);
    return String(text);
  }
}
