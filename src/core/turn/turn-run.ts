import type { TurnMessage } from '../assistant.ts';
import type { TurnError } from '../errors/turn-error.ts';
import type { Principal } from '../identity/principal.ts';
import type { Conversation } from '../sessions/conversation.ts';
import type { CurrentPage } from '../tools/tool.ts';
import type { UiAction } from '../ui-actions/ui-actions.ts';
import type { LiveTurn } from './live-turn.ts';
import type { ChannelName } from './turn-event.ts';
import type { SuspendedTurn, WaitingTurn } from './turn-suspension.ts';

/** One turn to run: whose it is, where it came from, what was said. */
export interface TurnRun {
  readonly turn: LiveTurn;
  readonly conversation: Conversation;
  readonly principal: Principal;
  /** The caller's own `Authorization` header, when a token was presented. */
  readonly authorization: string | undefined;
  /** The trace context of the caller, when one was sent. */
  readonly traceparent?: string | undefined;
  readonly channel: ChannelName;
  readonly page: CurrentPage | undefined;
  /** What the page of the connection offers when the turn begins. */
  readonly uiActions: readonly UiAction[];
  readonly message: TurnMessage;
  /** Refuses the turn before anything else, for what the session or the server already knows. */
  readonly refusal: TurnError | undefined;
  /** What was kept of the turn when an earlier process ended: it goes on there. */
  readonly suspended?: SuspendedTurn;
  /** What a snapshot held of a turn: this one asks its questions again and goes on from there. */
  readonly reopened?: WaitingTurn;
}
