import type { ModelRequest, ReplySink } from '../../src/core/ports/chat-model.ts';

/** A request with one user message. The test can replace every part. */
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

/** A sink that keeps its pieces and tells when the first has arrived. */
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
