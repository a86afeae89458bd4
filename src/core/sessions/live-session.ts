import type { Session, TurnMessage, TurnOptions } from '../assistant.ts';
import { HelperError } from '../errors/helper-error.ts';
import { TurnError } from '../errors/turn-error.ts';
import type { Principal } from '../identity/principal.ts';
import type { CallerRoom, Place } from '../limits/caller-room.ts';
import { countedCaller } from '../limits/counted-caller.ts';
import { queuedBytes } from '../limits/queued-bytes.ts';
import type { CurrentPage } from '../tools/tool.ts';
import { EndedTurn } from '../turn/ended-turn.ts';
import { leftToNextProcess, LiveTurn } from '../turn/live-turn.ts';
import type { StopReason, Turn } from '../turn/turn.ts';
import type { ChannelName } from '../turn/turn-event.ts';
import type { SuspendedTurn, WaitingTurn } from '../turn/turn-suspension.ts';
import type { UiAction, UiActions } from '../ui-actions/ui-actions.ts';
import { Conversation, type KeptMessage } from './conversation.ts';

/** Most messages that wait for their turn in one session; the next is refused. */
const maxWaiting = 20;

interface Waiting {
  readonly message: TurnMessage;
  readonly options: TurnOptions | undefined;
  readonly resolve: (turn: Turn) => void;
  /** The bytes it holds while it waits. */
  readonly place: Place;
}

/** What a session needs to start a turn; `refusal` and `stopped` end it before it runs. */
interface TurnStart {
  readonly conversation: Conversation;
  readonly principal: Principal;
  readonly channel: ChannelName;
  readonly page: CurrentPage | undefined;
  readonly uiActions: readonly UiAction[];
  readonly message: TurnMessage;
  readonly refusal: TurnError | undefined;
  readonly stopped: boolean;
  readonly suspended?: SuspendedTurn;
  readonly reopened?: WaitingTurn;
  readonly authorization: string | undefined;
  readonly traceparent?: string | undefined;
}

/** Starts a turn of a session. */
export type StartSessionTurn = (run: TurnStart) => LiveTurn;

export interface LiveSessionOptions {
  readonly id: string;
  readonly principal: Principal;
  readonly channel: ChannelName;
  readonly authorization?: string | undefined;
  /** What an anonymous caller is counted by. */
  readonly address?: string | undefined;
  readonly uiActions?: UiActions | undefined;
  readonly startTurn: StartSessionTurn;
  /** Bytes of the messages that wait. */
  readonly queueRoom: CallerRoom;
  readonly onReopened?: ((turn: Turn) => void) | undefined;
  /** No turn begins any more: what is restored would be lost. */
  readonly isDraining: () => boolean;
  readonly onClosed: (session: LiveSession) => void;
}

/** The live state behind one connection or request: one conversation, one running turn, those that wait. */
export class LiveSession implements Session {
  readonly id: string;
  readonly channel: ChannelName;
  #principal: Principal;
  #authorization: string | undefined;
  readonly #options: LiveSessionOptions;
  #conversation = new Conversation();
  #page: CurrentPage | undefined;
  #active: LiveTurn | undefined;
  /** What the last turn waited for when it was stopped; until the next message, which answers it as not run. */
  #stoppedWaiting: WaitingTurn | undefined;
  #waiting: Waiting[] = [];
  #closed = false;

  constructor(options: LiveSessionOptions) {
    this.id = options.id;
    this.#principal = options.principal;
    this.#authorization = options.authorization;
    this.channel = options.channel;
    this.#options = options;
  }

  get principal(): Principal {
    return this.#principal;
  }

  get conversationId(): string {
    return this.#conversation.id;
  }

  get activeTurn(): LiveTurn | undefined {
    return this.#active;
  }

  get transcript(): readonly KeptMessage[] {
    return this.#conversation.kept;
  }

  get waiting(): WaitingTurn | undefined {
    return this.#active === undefined ? this.#stoppedWaiting : this.#active.waiting;
  }

  send(message: TurnMessage, options?: TurnOptions): Promise<Turn> {
    if (this.#active === undefined || this.#closed) return Promise.resolve(this.#start(message, options));
    if (this.#waiting.length >= maxWaiting) return Promise.resolve(this.#refuse(message, options, anotherTurnRuns()));
    const caller = countedCaller(this.#principal, this.#options.address);
    const place = this.#options.queueRoom.take(caller, queuedBytes(message, options));
    if (place === undefined) return Promise.resolve(this.#refuse(message, options, tooMuchWaits()));
    return new Promise((resolve) => this.#waiting.push({ message, options, resolve, place }));
  }

  startNow(message: TurnMessage, options?: TurnOptions): Turn {
    return this.#active === undefined
      ? this.#start(message, options)
      : this.#refuse(message, options, anotherTurnRuns());
  }

  stop(reason: StopReason): boolean {
    if (this.#active?.suspended === true) throw leftToNextProcess();
    return this.#stop(reason);
  }

  #stop(reason: StopReason): boolean {
    const dropped = this.#waiting;
    this.#waiting = [];
    const stopped = this.#active?.stop(reason) ?? false;
    for (const { message, resolve, place } of dropped) {
      place.release();
      resolve(this.#run(message, { stopped: true }));
    }
    return stopped || dropped.length > 0;
  }

  /** Goes on with a turn that an earlier process kept, in its conversation (wire.md 5). */
  resume(suspended: SuspendedTurn): LiveTurn {
    this.#conversation = new Conversation({ id: suspended.conversationId, messages: suspended.history });
    this.#page = suspended.page;
    return this.#takeUp({ suspended, uiActions: suspended.uiActions ?? [] });
  }

  newConversation(): { readonly conversationId: string } {
    this.#stop('user');
    // The stopped turn still records into the conversation it began in, which nobody sees any more.
    this.#conversation = new Conversation();
    this.#active = undefined;
    this.#stoppedWaiting = undefined;
    return { conversationId: this.#conversation.id };
  }

  replaceConversation(
    messages: readonly KeptMessage[],
    reopened?: WaitingTurn,
  ): { readonly conversationId: string; readonly turn: LiveTurn | undefined } {
    if (this.#closed) throw new HelperError('unknown_connection', 'The connection is closed.');
    if (this.#active !== undefined) {
      throw new HelperError(
        'turn_in_progress',
        'A turn runs in this conversation. Stop it, or try again when it has ended.',
      );
    }
    if (this.#options.isDraining()) {
      throw new HelperError('server_draining', 'The server restarts: restore the conversation once it is back.');
    }
    this.#conversation = new Conversation({ messages });
    this.#stoppedWaiting = undefined;
    const turn = reopened === undefined ? undefined : this.#takeUp({ reopened });
    if (turn !== undefined) this.#options.onReopened?.(turn);
    return { conversationId: this.#conversation.id, turn };
  }

  renew(principal: Principal, authorization: string | undefined): void {
    if (principal.kind !== this.#principal.kind) return;
    // Anonymous callers keep the key they began with.
    if (principal.kind === 'anonymous' || principal.userKey !== this.#principal.userKey) return;
    this.#principal = principal;
    this.#authorization = authorization;
  }

  setPage(page: CurrentPage): void {
    this.#page = page;
  }

  adopt(turn: Turn): void {
    const earlier = turn instanceof LiveTurn || turn instanceof EndedTurn ? turn.owner : undefined;
    if (!(earlier instanceof LiveSession) || earlier === this) return;
    if (turn.conversationId !== earlier.conversationId) return;
    // A closed session ends nothing any more; one with a turn of its own could neither stop nor queue behind a second.
    if (this.#closed || this.#active !== undefined) return;
    this.#conversation = earlier.#conversation;
    this.#page ??= earlier.#page;
    this.#waiting = earlier.#waiting;
    this.#stoppedWaiting = earlier.#stoppedWaiting;
    const active = earlier.#active;
    earlier.#release();
    if (active !== undefined) this.#follow(active);
  }

  close(reason: StopReason): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#stop(reason);
    this.#options.onClosed(this);
  }

  #start(message: TurnMessage, options: TurnOptions | undefined): LiveTurn {
    if (options?.page !== undefined) this.#page = options.page;
    const turn = this.#run(message, { stopped: this.#closed, traceparent: options?.traceparent });
    this.#follow(turn);
    return turn;
  }

  /** Goes on with a turn that waited elsewhere: it has had its message. */
  #takeUp(earlier: Partial<Pick<TurnStart, 'suspended' | 'reopened' | 'uiActions'>>): LiveTurn {
    const turn = this.#run({ text: '' }, { stopped: false, ...earlier });
    this.#follow(turn);
    return turn;
  }

  #refuse(message: TurnMessage, options: TurnOptions | undefined, refusal: TurnError): LiveTurn {
    if (options?.page !== undefined) this.#page = options.page;
    return this.#run(message, { stopped: false, refusal });
  }

  #run(
    message: TurnMessage,
    how: Pick<TurnStart, 'stopped' | 'traceparent'> &
      Partial<Pick<TurnStart, 'refusal' | 'suspended' | 'reopened' | 'uiActions'>>,
  ): LiveTurn {
    return this.#options.startTurn({
      conversation: this.#conversation,
      principal: this.#principal,
      authorization: this.#authorization,
      channel: this.channel,
      page: this.#page,
      uiActions: this.#options.uiActions?.offered ?? [],
      message,
      refusal: undefined,
      ...how,
    });
  }

  /** Makes a turn the running one, and lets the next waiting message go when it has ended. */
  #follow(turn: LiveTurn): void {
    this.#active = turn;
    this.#stoppedWaiting = undefined;
    // SSE sessions end with their turn, so nothing of them is ever handed over.
    if (this.channel === 'hub') turn.owner = this;
    void turn.result.then(() => {
      if (this.#active !== turn) return;
      this.#active = undefined;
      this.#stoppedWaiting = turn.waiting;
      const next = this.#waiting.shift();
      next?.place.release();
      if (next !== undefined) next.resolve(this.#start(next.message, next.options));
    });
  }

  /** Another session took over: what is left is empty, and ends nothing when it closes. */
  #release(): void {
    this.#conversation = new Conversation();
    this.#active = undefined;
    this.#waiting = [];
    this.#stoppedWaiting = undefined;
  }
}

function anotherTurnRuns(): TurnError {
  return new TurnError('refused', 'turn_in_progress', 'another turn runs in this session', { retryable: true });
}

function tooMuchWaits(): TurnError {
  return new TurnError('refused', 'overloaded', 'too many bytes of messages wait', { retryable: true });
}
