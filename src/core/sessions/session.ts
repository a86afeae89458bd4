import type { RecordedEvent } from '../events/turn-event.ts';
import type { Principal } from '../identity/principal.ts';
import type { KeptMessage } from '../request/kept-message.ts';
import type { SendOptions } from '../request/send-options.ts';
import type { CurrentPage, SentMessage } from '../request/turn-request.ts';
import type { TurnSnapshot } from '../turn/turn-snapshot.ts';
import type { StopReason, Turn } from '../turn/turn.ts';

/** A copy of a turn that a snapshot held. */
export interface TurnCopy {
  /** Resolves once every question of the copy was put again, or needs no answer. */
  readonly callsSettled: Promise<void>;
  /** The questions that wait for an answer, as they were sent. */
  readonly openConfirmations: readonly RecordedEvent[];
}

/**
 * Live state of one hub connection or one SSE request: who, which conversation, which page, which turn.
 * A session runs one turn at a time (contract/hub.md#side-by-side).
 */
export interface Session {
  readonly id: string;
  readonly principal: Principal;
  readonly conversationId: string;
  readonly activeTurn: Turn | undefined;
  /** The conversation until the last ended turn. */
  readonly transcript: readonly KeptMessage[];
  /** What the running turn waits for its user with, or the last one when it was stopped. */
  readonly waiting: TurnSnapshot | undefined;
  /**
   * Starts a turn now, or after those that wait in this session. Every call leads to one turn with a `TurnCompleted`; one
   * for which its caller, or the server, has no room is refused as `overloaded`.
   */
  send(message: SentMessage, options?: SendOptions): Promise<Turn>;
  /** Starts a turn now. While another turn runs, it is refused as `turn_in_progress`; over a limit, as `overloaded`. */
  startNow(message: SentMessage, options?: SendOptions): Turn;
  /**
   * Stops the running turn and drops the waiting ones. False: nothing was running.
   * @throws HelperError `server_draining` when the turn waits for the next process, `storage_unavailable` as `Turn.stop`.
   */
  stop(reason: StopReason): Promise<boolean>;
  /** Stops the running turn, then begins an empty conversation. */
  newConversation(): { readonly conversationId: string };
  /**
   * Begins a conversation in which these messages were said already (contract/sessions.md#restoring, restore). With `copyOf`, a turn begins that
   * asks its questions again, and goes on where the saved one waited once they are answered. With `id`, it is the conversation of this id
   * that goes on.
   * @throws HelperError `turn_in_progress` while a turn runs, `unknown_connection` once the session is closed,
   * `server_draining` while the server ends.
   */
  replaceConversation(
    messages: readonly KeptMessage[],
    beginning?: { readonly copyOf?: TurnSnapshot | undefined; readonly id?: string | undefined },
  ): { readonly conversationId: string; readonly turn: TurnCopy | undefined };
  setPage(page: CurrentPage): void;
  /**
   * Renews the token of the same user: roles and token count from the next turn on. A token of another user changes
   * nothing.
   */
  renew(principal: Principal, authorization: string | undefined): void;
  /**
   * Makes a turn of an earlier, lost session this session's own, and the conversation with it (contract/hub.md#when-the-line-breaks, `Resume`).
   * Nothing changes while this session runs a turn itself, or once it is closed.
   */
  adopt(turn: Turn): void;
  /** The connection or request is gone for good: ends what runs and forgets the session. */
  close(reason: StopReason): void;
}
