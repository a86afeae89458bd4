import { receiptOf } from '../events/receipt-of.ts';
import type { Receipt } from '../events/turn-event.ts';
import type { StepRecord } from '../record/step-record.ts';
import type { RecordedOutcome } from '../tools/tool-outcome.ts';

/** Most receipts of one turn that are told (contract/events.md#receipts). */
export const mostReceipts = 100;

/**
 * What became of the calls of a turn that would change something, in the order in which they ended, by the record alone: nothing that a
 * model says changes it. Of more than `mostReceipts` the newest of each action and status stay, then the newest of all.
 */
export function receiptsOf(record: Pick<StepRecord, 'entries'>): readonly Receipt[] {
  const all: Receipt[] = [];
  for (const [callId, { status, receipt }] of outcomesIn(record)) {
    if (receipt === undefined) continue;
    const { action, title, at } = receipt;
    all.push(receiptOf({ callId, action, title, status, at }));
  }
  return all.length > mostReceipts ? bounded(all) : all;
}

/** Whether a call of the turn has read data. */
export function hasRead(record: Pick<StepRecord, 'entries'>): boolean {
  return outcomesIn(record).some(([, { reads }]) => reads === true);
}

/** What is recorded of the end of a call, whoever has made it. */
type EndOfCall = Pick<RecordedOutcome, 'status' | 'receipt' | 'reads'>;

/** The ends of the calls that this server has made, and of those that the provider of the model has made by itself. */
function outcomesIn(record: Pick<StepRecord, 'entries'>): readonly (readonly [string, EndOfCall])[] {
  return [...record.entries()].flatMap(([key, value]) => {
    const [, callId] = /\/call\/([^/]+)$/.exec(key) ?? /\/hosted\/([^/]+)\/ended$/.exec(key) ?? [];
    // Recorded by `invokeTool`, and by `HostedActivity`.
    return callId === undefined ? [] : [[callId, value as EndOfCall] as const];
  });
}

function bounded(all: readonly Receipt[]): readonly Receipt[] {
  const newestOfKind = new Map(all.map((receipt) => [`${receipt.action} ${receipt.status}`, receipt]));
  const kept = new Set([...newestOfKind.values()].slice(-mostReceipts));
  for (const receipt of all.toReversed()) if (kept.size < mostReceipts) kept.add(receipt);
  return all.filter((receipt) => kept.has(receipt));
}
