import { oneLine } from '../base/one-line.ts';
import type { Receipt, TurnStatus } from '../events/turn-event.ts';
import type { ServerTexts } from '../language/server-texts.ts';

type Texts = Pick<ServerTexts, 'honesty'>;

/**
 * The text that replaces a reply which claims a change that was not made. It tells what was really done
 * (contract/guardrails.md#true-replies).
 */
export function changeNotMade({ honesty }: Texts, receipts: readonly Receipt[]): string {
  if (receipts.length === 0) return `${honesty.takenBack} ${honesty.nothingChanged}`;
  return `${honesty.takenBack} ${list(honesty, receipts)}`;
}

/** The text that replaces a reply about records that were not looked up. */
export function recordNotLookedUp({ honesty }: Texts, receipts: readonly Receipt[]): string {
  return receipts.length === 0 ? honesty.notLookedUp : `${honesty.notLookedUp}\n\n${list(honesty, receipts)}`;
}

/** The text that replaces a reply which states what nothing supports (contract/a2a-server.md#tasks). */
export function replyNotSupported({ honesty }: Texts, receipts: readonly Receipt[]): string {
  return receipts.length === 0 ? honesty.unsupported : `${honesty.unsupported}\n\n${list(honesty, receipts)}`;
}

/** How a turn has ended, and what its user reads of it. */
export interface ToldEnd {
  readonly status: TurnStatus;
  /** The reply, or why there is none. */
  readonly said: string;
  readonly receipts: readonly Receipt[];
}

/**
 * What was really done, for channels that have no place for receipts: it stands below what was said (contract/events.md#receipts). Empty
 * where all was done and the turn was completed, and where it stands there already.
 */
export function doneBelow({ honesty }: Texts, { status, said, receipts }: ToldEnd): string {
  const isDone = status === 'completed' && receipts.every((receipt) => receipt.status === 'succeeded');
  if (isDone || receipts.length === 0) return '';
  const done = list(honesty, receipts);
  if (said.endsWith(done)) return '';
  return said === '' ? done : `\n\n${done}`;
}

function list({ reallyDone, statuses }: ServerTexts['honesty'], receipts: readonly Receipt[]): string {
  return [`${reallyDone}\n`, ...receipts.map(({ title, status }) => `- ${oneLine(title)}: ${statuses[status]}`)].join(
    '\n',
  );
}
