import type { RecordedEvent } from './turn-event.ts';
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
  readonly #events: readonly RecordedEvent[];
  readonly #result: TurnResult;

  constructor(options: {
    readonly conversationId: string;
    readonly owner: object | undefined;
    readonly events: readonly RecordedEvent[];
    readonly result: TurnResult;
  }) {
    this.id = options.result.turnId;
    this.conversationId = options.conversationId;
    this.owner = options.owner;
    this.#events = options.events;
    this.#result = options.result;
  }

  get lastSeq(): number {
    return this.#events.at(-1)?.seq ?? 0;
  }

  get result(): Promise<TurnResult> {
    return Promise.resolve(this.#result);
  }

  canReplay(afterSeq: number): boolean {
    const firstKept = this.#events[0]?.seq ?? 1;
    return afterSeq + 1 >= firstKept && afterSeq <= this.lastSeq;
  }

  subscribe(listener: TurnListener, afterSeq: number): TurnSubscription | undefined {
    if (!this.canReplay(afterSeq)) return undefined;
    for (const event of this.#events) if (event.seq > afterSeq) listener.onEvent(event);
    listener.onEnd();
    return { setPaused: () => undefined, close: () => undefined };
  }

  stop(): boolean {
    return false;
  }
}
