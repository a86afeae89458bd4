import type { StepRecord } from '../../record/step-record.ts';
import type { TapeBeginning } from '../../record/tape-services.ts';
import type { TurnEvents } from '../../record/turn-events.ts';
import { keptRequest, recordVersion, type TurnHeader } from '../../record/turn-header.ts';
import type { TurnOptions } from './turn-options.ts';

/** The parts of a turn at the moment when it is first kept. */
interface BegunTurn {
  readonly options: TurnOptions;
  readonly record: StepRecord;
  readonly events: TurnEvents;
}

/** What the store gets first of a kept turn: who asked what, and all steps and events up to now. */
export function turnBeginning({ options, record, events }: BegunTurn): TapeBeginning {
  const steps = [...record.entries()].map(([key, value]) => ['step', key, value] as const);
  const { userKey } = options.request.caller.principal;
  return { header: JSON.stringify(headerOf(options, record)), userKey, lines: [...steps, ...events.lines()] };
}

/** A traced turn continues below its own root in the trace. Any other turn continues in the trace that its request came with. */
function headerOf(
  { id: turnId, request, remembered: _, recentWords: __, ...options }: TurnOptions,
  { trace }: StepRecord,
): TurnHeader {
  const own = trace === undefined ? {} : { traceparent: trace.root };
  return { version: recordVersion, turnId, ...keptRequest(request), ...own, ...options };
}
