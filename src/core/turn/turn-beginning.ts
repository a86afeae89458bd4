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
  return { header: JSON.stringify(headerOf(options, record)), lines: [...steps, ...events.lines()] };
}

/** A turn that is followed goes on below itself, else in the trace that it came with. */
function headerOf(
  { id: turnId, request, remembered: _, recentWords: __, ...options }: TurnOptions,
  { trace }: StepRecord,
): TurnHeader {
  const own = trace === undefined ? {} : { traceparent: trace.root };
  return { version: recordVersion, turnId, ...keptRequest(request), ...own, ...options };
}
