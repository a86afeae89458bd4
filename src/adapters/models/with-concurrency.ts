import type { ChatModel, ModelReply, ModelRequest, ReplySink } from '../../core/ports/chat-model.ts';

/** At most `limit` calls in flight; the others wait in order, and leave the queue when they are stopped (contract/models.md). */
export function withConcurrency(model: ChatModel, limit: number): ChatModel {
  const slots = new Slots(limit);
  return {
    model: model.model,
    provider: model.provider,
    isDemo: model.isDemo,
    close: () => model.close(),
    async run(request: ModelRequest, sink: ReplySink): Promise<ModelReply> {
      await slots.take(request.signal);
      try {
        return await model.run(request, sink);
      } finally {
        slots.release();
      }
    },
  };
}

class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(limit: number) {
    this.#free = limit;
  }

  async take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    const admitted = await this.#wait(signal);
    if (!admitted) signal.throwIfAborted();
  }

  release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }

  /** Resolves to false when the signal came first. */
  #wait(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const go = (): void => {
        signal.removeEventListener('abort', leave);
        resolve(true);
      };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1);
        resolve(false);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(go);
    });
  }
}
