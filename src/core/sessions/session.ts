import type { RecordedEvent } from '../events/turn-event.ts';
import type { Principal } from '../identity/principal.ts';
import type { Feedback } from '../request/feedback.ts';
import type { KeptMessage } from '../request/kept-message.ts';
import type { SendOptions } from '../request/send-options.ts';
import type { CurrentPage, SentMessage } from '../request/turn-request.ts';
import type { TurnSnapshot } from '../turn/live/turn-snapshot.ts';
import type { StopReason, Turn } from '../turn/live/turn.ts';

/** A copy of a turn that a snapshot held. */
export interface TurnCopy {
  /** Resolves once each question of the copy was either put again or needs no answer. */
  readonly callsSettled: Promise<void>;
  /** The questions that wait for an answer, as they were sent. */
  readonly openConfirmations: readonly RecordedEvent[];
}

/**
 * Live state of one hub connection or one SSE request: its caller, conversation, page and running turn. A session runs one turn at a time
 * (contract/hub.md#side-by-side).
 */
export interface Session {
  readonly id: string;
  readonly principal: Principal;
  readonly conversationId: string;
  readonly activeTurn: Turn | undefined;
  /** The conversation until the last ended turn. */
  readonly transcript: readonly KeptMessage[];
  /**
   * The state of the running turn while it waits for its user. Without a running turn: that of the last turn, when it was stopped while it
   * waited.
   */
  readonly waiting: TurnSnapshot | undefined;
  /**
   * Starts a turn now, or after the messages that wait in this session. Every call leads to one turn with a `TurnCompleted`. A turn for
   * which the caller or the server has no room is refused as `overloaded`.
   */
  send(message: SentMessage, options?: SendOptions): Promise<Turn>;
  /** Starts a turn now. The turn is refused as `turn_in_progress` while another turn runs, and as `overloaded` over a limit. */
  startNow(message: SentMessage, options?: SendOptions): Turn;
  /**
   * Stops the running turn and drops the messages that wait. Resolves with false when no turn was running and no message was waiting.
   * @throws HelperError `server_draining` when the turn waits for the next process, `storage_unavailable` as `Turn.stop`.
   */
  stop(reason: StopReason): Promise<boolean>;
  /** Stops the running turn, then begins an empty conversation. */
  newConversation(): { readonly conversationId: string };
  /**
   * Begins a conversation that starts with these messages (contract/sessions.md#restoring, restore). With `copyOf`, a turn begins that asks
   * the questions of the saved turn again. Once they are answered, this turn goes on where the saved turn waited. With `id`, the
   * conversation with this id goes on.
   * @throws HelperError `turn_in_progress` while a turn runs, `unknown_connection` once the session is closed, `server_draining` while the
   * server ends.
   */
  replaceConversation(
    messages: readonly KeptMessage[],
    beginning?: { readonly copyOf?: TurnSnapshot | undefined; readonly id?: string | undefined },
  ): { readonly conversationId: string; readonly turn: TurnCopy | undefined };
  /** As `Conversation.rate`, in the conversation of this session. */
  rate(turnId: string, feedback: Feedback | undefined): { readonly before: Feedback | undefined } | undefined;
  setPage(page: CurrentPage): void;
  /**
   * Renews the token of the same user: the roles and the token of the new one count from the next turn on. A token of another user changes
   * nothing.
   */
  renew(principal: Principal, authorization: string | undefined): void;
  /**
   * Moves a turn of an earlier, lost session to this session, together with its conversation (contract/hub.md#when-the-line-breaks,
   * `Resume`). Nothing changes while this session runs a turn itself, or once this session is closed.
   */
  adopt(turn: Turn): void;
  /** The connection or request is gone for good: ends what runs and forgets the session. */
  close(reason: StopReason): void;
}
