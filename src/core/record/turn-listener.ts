import type { RecordedEvent } from '../events/turn-event.ts';
import type { UiActions } from '../request/ui-actions.ts';

/**
 * One reader of a turn's events. `onEvent` is called synchronously, in order and without gaps, but for an event that is told before its place
 * (contract/restarts.md#storage-that-fails) and has the number of the one before it. It MUST NOT throw and MUST NOT block.
 * The text of one read of the model arrives joined, so a reader may write to its connection at each call.
 */
export interface TurnListener {
  /** The page behind this reader: while it reads, the turn's UI actions are run there (contract/ui-actions.md). */
  readonly uiActions?: UiActions;
  /** Whether somebody waits for the events now. Left out: somebody does. */
  readonly isRead?: boolean;
  onEvent(event: RecordedEvent): void;
  /** The turn is over, or this listener was replaced: nothing more comes. */
  onEnd(): void;
}
