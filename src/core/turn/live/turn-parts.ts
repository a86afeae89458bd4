import type { StepRecord } from '../../record/step-record.ts';
import type { Tape } from '../../record/tape.ts';
import type { TurnEvents } from '../../record/turn-events.ts';

/** What a turn is made of in this process. */
export interface TurnParts<Turn> {
  readonly record: StepRecord;
  readonly tape: Tape;
  readonly events: TurnEvents;
  /** Milliseconds a turn without a reader lives on (contract/hub.md#when-the-line-breaks and contract/sse.md, `server.disconnectGrace`). */
  readonly disconnectGraceMs: number;
  /** When the turn began in this process, on a clock that never goes back. */
  readonly startedAt: number;
  /** Called when a question of the turn waits for its answer. */
  readonly onQuestion: (turn: Turn) => void;
  /** Called when another process has taken the turn up. */
  readonly onLost: (turn: Turn) => void;
}
