import { receiptOf } from '../events/receipt-of.ts';
import type { Receipt } from '../events/turn-event.ts';
import type { StepRecord } from '../record/step-record.ts';
import { outcomeText, type RecordedOutcome } from '../tools/tool-outcome.ts';

/** The most receipts that one turn tells (contract/events.md#receipts). */
export const mostReceipts = 100;

/**
 * What became of the calls of a turn that would change something, in the order in which they ended. The receipts come from the record
 * alone, so nothing that a model says changes them. When there are more than `mostReceipts`, the newest of each action and status are
 * kept first, then the newest of the others.
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

/**
 * Whether a call of the turn has changed something, or may have. One that was approved in a copy of the turn may run there, although it is
 * cancelled here.
 */
export function mayHaveActed(record: Pick<StepRecord, 'entries'>): boolean {
  return outcomesIn(record).some(
    ([, { status, receipt, text }]) =>
      text === outcomeText.answeredElsewhere ||
      (receipt !== undefined && (status === 'succeeded' || status === 'failed' || status === 'unknown')),
  );
}

/** Whether the provider of the model has made calls by itself. Their results are not told to this server. */
export function hasReadElsewhere(record: Pick<StepRecord, 'entries'>): boolean {
  return [...record.entries()].some(([key]) => /\/hosted\/[^/]+$/.test(key));
}

/** The results of the calls of the turn that came to one, as the model was told them. */
export function resultsOf(record: Pick<StepRecord, 'entries'>): readonly string[] {
  return outcomesIn(record).flatMap(([, { status, text }]) =>
    status === 'succeeded' && text !== undefined && text !== '' ? [text] : [],
  );
}

/** Whether a call of the turn has read data. */
export function hasRead(record: Pick<StepRecord, 'entries'>): boolean {
  return outcomesIn(record).some(([, { reads }]) => reads === true);
}

/** What is recorded of the end of a call, whether this server or the provider of the model made the call. */
type EndOfCall = Pick<RecordedOutcome, 'status' | 'receipt' | 'reads'> & Partial<Pick<RecordedOutcome, 'text'>>;

/**
 * The ends of the calls that this server has made, and of the calls that the provider of the model has made by itself. When a crash has
 * lost the end of a call of the provider, its status is `unknown`.
 */
function outcomesIn(record: Pick<StepRecord, 'entries'>): readonly (readonly [string, EndOfCall])[] {
  const ends: (readonly [string, EndOfCall])[] = [];
  const begun = new Map<string, EndOfCall>();
  for (const [key, value] of record.entries()) {
    if (!key.includes('/call/') && !key.includes('/hosted/')) continue;
    const [, kind, callId = '', ended] = /\/(call|hosted)\/([^/]+)(\/ended)?$/.exec(key) ?? [];
    const outcome = value as EndOfCall; // recorded by `invokeTool`, and by `HostedActivity`
    if (kind === 'hosted' && ended === undefined) begun.set(callId, { ...outcome, status: 'unknown' });
    else if (kind !== undefined && (kind === 'call') === (ended === undefined)) ends.push([callId, outcome]);
    if (ended !== undefined) begun.delete(callId);
  }
  return [...ends, ...begun];
}

function bounded(all: readonly Receipt[]): readonly Receipt[] {
  const newestOfKind = new Map(all.map((receipt) => [`${receipt.action} ${receipt.status}`, receipt]));
  const kept = new Set([...newestOfKind.values()].slice(-mostReceipts));
  for (const receipt of all.toReversed()) if (kept.size < mostReceipts) kept.add(receipt);
  return all.filter((receipt) => kept.has(receipt));
}
