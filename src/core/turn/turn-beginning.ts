import type { StepRecord } from '../record/step-record.ts';
import type { TapeBeginning } from '../record/tape.ts';
import type { TurnEvents } from '../record/turn-events.ts';
import { keptRequest, recordVersion, type TurnHeader } from '../record/turn-header.ts';
import type { TurnOptions } from './turn-options.ts';

/** What there is of a turn when it is kept. */
interface BegunTurn {
  readonly options: TurnOptions;
  readonly record: StepRecord;
  readonly events: TurnEvents;
}

/** What is written first of a turn that is kept: who asked what, and everything up to now. */
export function turnBeginning({ options, record, events }: BegunTurn): TapeBeginning {
  const steps = [...record.entries()].map(([key, value]) => ['step', key, value] as const);
  return { header: JSON.stringify(headerOf(options)), lines: [...steps, ...events.lines()] };
}

function headerOf({ id: turnId, request, remembered: _, ...options }: TurnOptions): TurnHeader {
  return { version: recordVersion, turnId, ...keptRequest(request), ...options };
}
