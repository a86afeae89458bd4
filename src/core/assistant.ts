import type { Principal } from './identity/principal.ts';
import type { KeptMessage } from './sessions/conversation.ts';
import type { CurrentPage } from './tools/tool.ts';
import type { StopReason, Turn } from './turn/turn.ts';
import type { UiActions } from './ui-actions/ui-actions.ts';
import type { ChannelName, RecordedEvent } from './turn/turn-event.ts';
import type { WaitingTurn } from './turn/turn-suspension.ts';

/** A file sent with a message. Its content is not kept: image input is off in this server, so it would only be dropped. */
export interface Attachment {
  readonly name?: string;
  readonly contentType: string;
}

/** A turn that asks again what a snapshot held. */
export interface ReopenedTurn {
  /** Resolves once every question of it was put again, or needs no answer. */
  readonly reopened: Promise<void>;
  /** The questions that wait for an answer, as they were sent. */
  readonly openConfirmations: readonly RecordedEvent[];
}

/** What a channel hands over for one turn, already checked against its wire schema. */
export interface TurnMessage {
  readonly text: string;
  readonly attachments?: readonly Attachment[];
  /** A submitted card (wire.md 7): untrusted input. */
  readonly cardSubmit?: { readonly cardId: string; readonly data: unknown };
}

export interface TurnOptions {
  /** Replaces the session's page for this and later turns. */
  readonly page?: CurrentPage;
  /** The W3C trace context the message came with, well-formed: what the turn asks of callbacks goes on in that trace. */
  readonly traceparent?: string | undefined;
}

/**
 * Live state of one hub connection or one SSE request: who, which conversation, which page, which turn.
 * A session runs one turn at a time (wire.md 3).
 */
export interface Session {
  readonly id: string;
  readonly principal: Principal;
  readonly channel: ChannelName;
  readonly conversationId: string;
  readonly activeTurn: Turn | undefined;
  /** The conversation until the last ended turn. */
  readonly transcript: readonly KeptMessage[];
  /** What the running turn waits for its user with, or the last one when it was stopped (`hitlMode: Native`). */
  readonly waiting: WaitingTurn | undefined;
  /**
   * Starts a turn now, or after those that wait in this session. Every call leads to one turn with a `TurnCompleted`; one
   * for which its caller, or the server, has no room is refused as `overloaded`.
   */
  send(message: TurnMessage, options?: TurnOptions): Promise<Turn>;
  /** Starts a turn now; one that finds another running is refused as `turn_in_progress`, one too many as `overloaded`. */
  startNow(message: TurnMessage, options?: TurnOptions): Turn;
  /**
   * Stops the running turn and drops the waiting ones. False: nothing was running.
   * @throws HelperError `server_draining` when the turn waits for the next process.
   */
  stop(reason: StopReason): boolean;
  /** Stops the running turn, then begins an empty conversation. */
  newConversation(): { readonly conversationId: string };
  /**
   * Begins a conversation in which these messages were said already (wire.md 5, restore). With `reopened`, a turn begins
   * that asks its questions again, and goes on where it waited once they are answered.
   * @throws HelperError `turn_in_progress` while a turn runs, `unknown_connection` once the session is closed,
   * `server_draining` while the server ends.
   */
  replaceConversation(
    messages: readonly KeptMessage[],
    reopened?: WaitingTurn,
  ): { readonly conversationId: string; readonly turn: ReopenedTurn | undefined };
  setPage(page: CurrentPage): void;
  /** The same user with a new token: roles and token count from the next turn on. Anybody else changes nothing. */
  renew(principal: Principal, authorization: string | undefined): void;
  /**
   * Makes a turn of an earlier, lost session this session's own, and the conversation with it (wire.md 3, `Resume`).
   * Nothing changes while this session runs a turn itself, or once it is closed.
   */
  adopt(turn: Turn): void;
  /** The connection or request is gone for good: ends what runs and forgets the session. */
  close(reason: StopReason): void;
}

/** What the channels may ask of the core. */
export interface Assistant {
  /** Without a `principal` the caller is anonymous, under a key of its own. */
  openSession(options: {
    readonly channel: ChannelName;
    readonly id?: string;
    readonly principal?: Principal;
    /** The caller's own `Authorization` header, for actions that pass it on; never kept, never logged. */
    readonly authorization?: string | undefined;
    /** What an anonymous caller's turns and waiting messages are counted by. Left out: they are not counted. */
    readonly address?: string;
    /** The page behind the connection: what it offers is offered to the model for the turns of this session. */
    readonly uiActions?: UiActions;
    /** Gets the turn that a restored snapshot begins in this session, for its events to be read. */
    readonly onReopened?: (turn: Turn) => void;
  }): Session;
  findSession(sessionId: string): Session | undefined;
  /** A running turn, or one that ended less than `server.resumeWindow` ago. Undefined too when it is not the caller's. */
  findTurn(turnId: string, caller: Principal): Turn | undefined;
  /**
   * The user's Stop for a turn: with the running turn of a session, the messages that wait behind it go too (wire.md 3).
   * False: nothing was running. Undefined: there is no such turn.
   * @throws HelperError `unauthenticated` or `not_owner` when it is not the caller's, `server_draining` when it waits for
   * the next process.
   */
  stopTurn(turnId: string, caller: Principal): boolean | undefined;
  /**
   * Answers an open confirmation (wire.md 5). Resolves once the answer is durable, not after the action.
   * @throws HelperError `nothing_to_answer` when it is unknown or answered, `unauthenticated` or `not_owner` when it is
   * not the caller's, `invalid_request` when `remember` or `arguments` are not allowed for it.
   */
  answerConfirmation(
    answer: {
      readonly actionId: string;
      readonly approved: boolean;
      readonly remember?: boolean;
      readonly arguments?: Readonly<Record<string, unknown>>;
    },
    caller: Principal,
  ): Promise<{ readonly actionId: string; readonly outcome: 'approved' | 'declined' }>;
  /** True from the first SIGTERM on: no new turns (wire.md 10). */
  readonly draining: boolean;
  readonly runningTurns: number;
  /**
   * Takes up the turns that an earlier process left waiting for their user (wire.md 5, `hitlMode: Native`), and makes the
   * calls of callbacks again that it left running. Called when the actions can run, before the channels open, and again when
   * more actions have come: what was taken up stays so.
   */
  resumeSuspended(): Promise<void>;
  /**
   * Refuses new turns, waits for the running ones, and ends what is left after `graceMs` as `server_draining`; turns that
   * wait for their user in a Native confirmation are left to the next process instead.
   */
  drain(graceMs: number): Promise<void>;
  close(): Promise<void>;
}
