import type { SealedLog } from './sealed-log.ts';
import type { Turn, TurnListener, TurnResult, TurnSubscription } from './turn.ts';

/**
 * What is kept of a turn for the resume window (wire.md 4): its events and how it ended. Everything a running turn needs
 * beside that is let go, since many ended turns are held at a time.
 */
export class EndedTurn implements Turn {
  readonly running = false;
  readonly id: string;
  readonly conversationId: string;
  /** The session whose conversation it belongs to, where that can be handed over. */
  readonly owner: object | undefined;
  readonly #log: SealedLog;
  readonly #result: TurnResult;

  constructor(options: {
    readonly conversationId: string;
    readonly owner: object | undefined;
    readonly log: SealedLog;
    readonly result: TurnResult;
  }) {
    this.id = options.result.turnId;
    this.conversationId = options.conversationId;
    this.owner = options.owner;
    this.#log = options.log;
    this.#result = options.result;
  }

  get lastSeq(): number {
    return this.#log.lastSeq;
  }

  /** Bytes held for resuming. */
  get bufferedLength(): number {
    return this.#log.length + this.#result.text.length;
  }

  get result(): Promise<TurnResult> {
    return Promise.resolve(this.#result);
  }

  canReplay(afterSeq: number): boolean {
    return this.#log.reaches(afterSeq);
  }

  subscribe(listener: TurnListener, afterSeq: number): TurnSubscription | undefined {
    const missed = this.#log.after(afterSeq);
    if (missed === undefined) return undefined;
    for (const event of missed) listener.onEvent(event);
    listener.onEnd();
    return { setPaused: () => undefined, close: () => undefined };
  }

  stop(): boolean {
    return false;
  }
}
