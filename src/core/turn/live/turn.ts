import type { TurnErrorCode } from '../../errors/error-codes.ts';
import type { ChannelName, TurnStatus } from '../../events/turn-event.ts';
import type { KeptSource } from '../../events/shown-event.ts';
import type { Principal } from '../../identity/principal.ts';
import type { TurnListener } from '../../record/turn-listener.ts';

/** What a method call is answered with once the turn has ended (contract/hub.md). */
export interface TurnResult {
  readonly turnId: string;
  readonly status: TurnStatus;
  readonly text: string;
  readonly code?: TurnErrorCode;
}

/**
 * Why a turn is ended from outside. `draining` ends the turn as `failed` with `server_draining`. `interrupted`, which a
 * crash brings about, ends it as `failed` with `interrupted`. All other reasons end it as `stopped`.
 */
export type StopReason = 'user' | 'connection-closed' | 'grace-over' | 'draining' | 'interrupted';

/** Stops a turn for which nobody waits: a Stop that cannot be stored is tried until it holds. */
export function stopQuietly(turn: Pick<Turn, 'stop'>, reason: StopReason): void {
  turn.stop(reason).catch(() => undefined);
}

/** A listener's hold on a turn. */
export interface TurnSubscription {
  /** Pauses or resumes reading from the model (contract/events.md#slow-readers, slow SSE clients). */
  setPaused(paused: boolean): void;
  /** Leaves the turn. A turn without a reader is stopped after `server.disconnectGrace`, unless someone subscribes. */
  close(): void;
}

/** One user message on its way to its end, as a channel sees it. */
export interface Turn {
  readonly id: string;
  readonly conversationId: string;
  /** The caller whom the turn belongs to (contract/identity.md#whose-it-is). */
  readonly principal: Principal;
  readonly running: boolean;
  /** Whether the turn has left this process and waits for the next one (contract/restarts.md#open-questions). */
  readonly suspended: boolean;
  /** The channel that the turn came over. */
  readonly channel: ChannelName;
  /** The number of the last event that may be told. */
  readonly lastSeq: number;
  /** The documents that the reply uses, if at least one of them is not for everybody. Not for clients. */
  readonly sources: readonly KeptSource[];
  /** Resolves when the turn has ended, after its last event; never rejects. */
  readonly result: Promise<TurnResult>;
  /** Whether the resume buffer still holds the event right after `afterSeq`. */
  canReplay(afterSeq: number): boolean;
  /**
   * Makes `listener` the one reader of this turn; an earlier one gets `onEnd` and nothing more. First come open
   * confirmations that lie at or before `afterSeq`, once more under their old `seq`; then, synchronously, what came after
   * `afterSeq`, and what was told before its place and waits for the store; then live events. Undefined when the buffer no longer reaches back that far.
   */
  subscribe(listener: TurnListener, afterSeq: number): TurnSubscription | undefined;
  /**
   * Ends the turn; false when it was over already. For a turn that is kept the Stop is stored before it takes effect.
   * @throws HelperError `storage_unavailable` when the store does not take the Stop. The turn begins nothing new all
   * the same, and ends as soon as the store takes the Stop.
   */
  stop(reason: StopReason): Promise<boolean>;
}
