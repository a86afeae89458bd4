import type { ChannelName } from '../../events/turn-event.ts';
import type { KeptSource } from '../../events/shown-event.ts';
import type { Principal } from '../../identity/principal.ts';
import type { Feedback } from '../../request/feedback.ts';
import type { SealedLog } from '../../record/sealed-log.ts';
import type { TurnListener } from '../../record/turn-listener.ts';
import type { Turn, TurnResult, TurnSubscription } from './turn.ts';

const none: readonly KeptSource[] = [];

/**
 * What is kept of a turn for the resume window (contract/sse.md#coming-back): its events and how it ended. The other parts of a running
 * turn are released, since many ended turns are held at a time.
 */
export class EndedTurn implements Turn {
  readonly running = false;
  readonly suspended = false;
  readonly id: string;
  readonly conversationId: string;
  readonly principal: Principal;
  readonly channel: ChannelName;
  /** The session of the turn's conversation, where that conversation can be handed over. */
  readonly owner: object | undefined;
  readonly sources: readonly KeptSource[];
  /** What the user thinks of the reply. */
  feedback: Feedback | undefined;
  readonly #log: SealedLog;

  constructor(options: {
    readonly id: string;
    readonly conversationId: string;
    readonly principal: Principal;
    readonly channel: ChannelName;
    readonly owner: object | undefined;
    readonly log: SealedLog;
    /** The documents that the reply uses. */
    readonly sources: readonly KeptSource[];
  }) {
    this.id = options.id;
    this.conversationId = options.conversationId;
    this.principal = options.principal;
    this.channel = options.channel;
    this.owner = options.owner;
    // If no document limits its readers, no reader has to be checked, so the documents are not held.
    this.sources = options.sources.some(({ access }) => access !== undefined) ? options.sources : none;
    this.#log = options.log;
  }

  get lastSeq(): number {
    return this.#log.lastSeq;
  }

  /** Bytes held for resuming. */
  get bufferedLength(): number {
    return this.#log.length;
  }

  /** The result is read from the last event, so that the text is not kept twice. */
  get result(): Promise<TurnResult> {
    const last = this.#log.after(this.#log.lastSeq - 1)?.[0];
    const failed: TurnResult = { turnId: this.id, status: 'failed', text: '', code: 'internal' };
    // A turn that could not be concluded has no end among its events.
    if (last?.type !== 'turn-completed') return Promise.resolve(failed);
    // The event was written by this server.
    const { status, text, code } = JSON.parse(last.json) as TurnResult;
    return Promise.resolve({ turnId: this.id, status, text, ...(code === undefined ? {} : { code }) });
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

  stop(): Promise<boolean> {
    return Promise.resolve(false);
  }
}
