import type { ChannelName, RecordedEvent } from '../../events/turn-event.ts';
import type { KeptSource } from '../../events/shown-event.ts';
import type { Principal } from '../../identity/principal.ts';
import type { TurnListener } from '../../record/turn-listener.ts';
import type { KeptMessage } from '../../request/kept-message.ts';
import type { CurrentPage, TurnMessage } from '../../request/turn-request.ts';
import type { UiActions } from '../../request/ui-actions.ts';
import type { StopReason, Turn, TurnResult, TurnSubscription } from './turn.ts';

/** A turn as the replica that holds it describes it. */
export interface FoundTurn {
  readonly id: string;
  readonly conversationId: string;
  readonly principal: Principal;
  readonly channel: ChannelName;
  readonly running: boolean;
  readonly lastSeq: number;
  /** The earliest event after which everything can still be read. */
  readonly readableAfter: number;
  readonly sources: readonly KeptSource[];
}

/** A message that waits for its turn in a conversation that is handed out. */
export interface WaitingThere {
  readonly message: TurnMessage;
  readonly page?: CurrentPage | undefined;
  /** As in `SendOptions`. */
  readonly replaces?: string | undefined;
}

/** A conversation that another replica hands out: its messages, and those that wait for their turn. */
export interface HandedOut {
  readonly messages: readonly KeptMessage[];
  readonly waiting: readonly WaitingThere[];
}

/** How a turn is read and stopped wherever it runs, and wherever it goes on when its replica ends. */
export interface TurnReach {
  /**
   * The events after `afterSeq`, as they come. Ends after the last event of the turn.
   * @throws HelperError when the turn cannot be found any more.
   */
  events(turnId: string, afterSeq: number, reader: RemoteReader): AsyncIterable<readonly RecordedEvent[]>;
  /** Never rejects: a turn that cannot be found any more counts as interrupted. */
  result(turnId: string): Promise<TurnResult>;
  /** As `Turn.stop`. */
  stop(turnId: string, reason: StopReason): Promise<boolean>;
  /** Takes the conversation of a turn away from its session. Undefined when there is none to take. Never rejects. */
  handOut(turnId: string): Promise<HandedOut | undefined>;
  /** The conversation of a turn that has ended. Undefined when it is gone. Never rejects. */
  transcript(turnId: string): Promise<readonly KeptMessage[] | undefined>;
}

/** Who reads a turn of another replica. */
export interface RemoteReader {
  readonly signal: AbortSignal;
  readonly page: UiActions | undefined;
}

/** A turn of another replica (contract/replicas.md#turns), as long as it can be found. */
export class RemoteTurn implements Turn {
  readonly #found: FoundTurn;
  readonly #reach: TurnReach;
  #result: Promise<TurnResult> | undefined;
  #reader: TurnListener | undefined;
  #lastSeq: number;
  #running: boolean;
  #suspended = false;

  constructor(found: FoundTurn, reach: TurnReach) {
    this.#found = found;
    this.#reach = reach;
    this.#lastSeq = found.lastSeq;
    this.#running = found.running;
  }

  get id(): string {
    return this.#found.id;
  }

  get conversationId(): string {
    return this.#found.conversationId;
  }

  get principal(): Principal {
    return this.#found.principal;
  }

  get channel(): ChannelName {
    return this.#found.channel;
  }

  get sources(): readonly KeptSource[] {
    return this.#found.sources;
  }

  get running(): boolean {
    return this.#running;
  }

  /** Whether the turn could not be found any more. */
  get suspended(): boolean {
    return this.#suspended;
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  get result(): Promise<TurnResult> {
    return (this.#result ??= this.#reach.result(this.id).then((result) => {
      this.#running = false;
      return result;
    }));
  }

  canReplay(afterSeq: number): boolean {
    return afterSeq >= this.#found.readableAfter;
  }

  /** As `Turn.subscribe`, but all events come later. */
  subscribe(listener: TurnListener, afterSeq: number): TurnSubscription | undefined {
    if (!this.canReplay(afterSeq)) return undefined;
    this.#reader?.onEnd();
    this.#reader = listener;
    const leaving = new AbortController();
    const gate = new Gate();
    void this.#read(listener, afterSeq, { signal: leaving.signal, gate });
    return {
      setPaused: (paused) => {
        gate.setClosed(paused);
      },
      close: () => {
        if (this.#reader === listener) this.#reader = undefined;
        leaving.abort();
        gate.setClosed(false);
      },
    };
  }

  stop(reason: StopReason): Promise<boolean> {
    return this.#running ? this.#reach.stop(this.id, reason) : Promise.resolve(false);
  }

  /** Takes the conversation of the turn away from the session that it began in. */
  handOut(): Promise<HandedOut | undefined> {
    return this.#reach.handOut(this.id);
  }

  /** The conversation once the turn has ended. */
  async transcript(): Promise<readonly KeptMessage[] | undefined> {
    await this.result;
    return this.#reach.transcript(this.id);
  }

  async #read(
    listener: TurnListener,
    afterSeq: number,
    { signal, gate }: { readonly signal: AbortSignal; readonly gate: Gate },
  ): Promise<void> {
    try {
      for await (const batch of this.#reach.events(this.id, afterSeq, { signal, page: listener.uiActions })) {
        for (const event of batch) this.#tell(listener, event);
        await gate.opened;
        if (this.#reader !== listener) return;
      }
    } catch {
      this.#suspended = true;
    }
    if (this.#reader !== listener) return;
    this.#reader = undefined;
    listener.onEnd();
  }

  #tell(listener: TurnListener, event: RecordedEvent): void {
    if (this.#reader !== listener) return;
    this.#lastSeq = Math.max(this.#lastSeq, event.seq);
    if (event.type === 'turn-completed') this.#running = false;
    listener.onEvent(event);
  }
}

/** Holds up whoever reads while it is closed. */
class Gate {
  #closed: PromiseWithResolvers<undefined> | undefined;

  get opened(): Promise<undefined> | undefined {
    return this.#closed?.promise;
  }

  setClosed(isClosed: boolean): void {
    if (isClosed) {
      this.#closed ??= Promise.withResolvers();
      return;
    }
    this.#closed?.resolve(undefined);
    this.#closed = undefined;
  }
}
