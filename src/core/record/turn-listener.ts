import type { RecordedEvent } from '../events/turn-event.ts';
import type { UiActions } from '../request/ui-actions.ts';

/**
 * One reader of a turn's events. Called synchronously, in order, without gaps; MUST NOT throw and MUST NOT block.
 * Text is joined per read of the model before it gets here, so one call is worth one write.
 */
export interface TurnListener {
  /** The page behind this reader: while it reads, the turn's UI actions are run there (contract/ui-actions.md). */
  readonly uiActions?: UiActions;
  onEvent(event: RecordedEvent): void;
  /** The turn is over, or this listener was replaced: nothing more comes. */
  onEnd(): void;
}
