import type { Principal } from '../identity/principal.ts';
import type { TurnErrorCode } from '../errors/error-codes.ts';
import type { UiActions } from '../ui-actions/ui-actions.ts';
import type { RecordedEvent, TurnStatus } from './turn-event.ts';

/** What a method call is answered with once the turn has ended (wire.md 3). */
export interface TurnResult {
  readonly turnId: string;
  readonly status: TurnStatus;
  readonly text: string;
  readonly code?: TurnErrorCode;
}

/** Why a turn is ended from outside. All end as `stopped`, but draining, which ends as `failed`, `server_draining`. */
export type StopReason = 'user' | 'connection-closed' | 'grace-over' | 'draining';

/**
 * One reader of a turn's events. Called synchronously, in order, without gaps; MUST NOT throw and MUST NOT block.
 * Text is joined per read of the model before it gets here, so one call is worth one write.
 */
export interface TurnListener {
  /** The page behind this reader: while it reads, the turn's UI actions are run there (wire.md 3). */
  readonly uiActions?: UiActions;
  onEvent(event: RecordedEvent): void;
  /** The turn is over, or this listener was replaced: nothing more comes. */
  onEnd(): void;
}

/** A listener's hold on a turn. */
export interface TurnSubscription {
  /** Pauses or resumes reading from the model (wire.md 2, slow SSE clients). */
  setPaused(paused: boolean): void;
  /** Leaves the turn. When nobody is left it is stopped after `server.disconnectGrace`, unless someone subscribes. */
  close(): void;
}

/** One user message on its way to its end, as a channel sees it. */
export interface Turn {
  readonly id: string;
  readonly conversationId: string;
  /** Whose it is (wire.md 1). */
  readonly principal: Principal;
  readonly running: boolean;
  readonly lastSeq: number;
  /** Resolves when the turn has ended, after its last event; never rejects. */
  readonly result: Promise<TurnResult>;
  /** Whether the resume buffer still reaches back to what came right after `afterSeq`. */
  canReplay(afterSeq: number): boolean;
  /**
   * Makes `listener` the one reader of this turn; an earlier one gets `onEnd` and nothing more. First come open
   * confirmations that lie at or before `afterSeq`, once more under their old `seq`; then, synchronously, what came after
   * `afterSeq`; then live events. Undefined when the buffer no longer reaches back that far.
   */
  subscribe(listener: TurnListener, afterSeq: number): TurnSubscription | undefined;
  /** Ends the turn; false when it was over already. */
  stop(reason: StopReason): boolean;
}
