import { oneLine } from '../base/one-line.ts';
import type { Receipt } from '../events/turn-event.ts';
import type { ServerTexts } from '../language/server-texts.ts';

type Texts = Pick<ServerTexts, 'honesty'>;

/** In place of a reply that claims a change that was not made: what was really done (contract/guardrails.md#true-replies). */
export function changeNotMade({ honesty }: Texts, receipts: readonly Receipt[]): string {
  if (receipts.length === 0) return `${honesty.takenBack} ${honesty.nothingChanged}`;
  return `${honesty.takenBack} ${list(honesty, receipts)}`;
}

/** In place of a reply about records that nobody has looked up. */
export function recordNotLookedUp({ honesty }: Texts, receipts: readonly Receipt[]): string {
  return receipts.length === 0 ? honesty.notLookedUp : `${honesty.notLookedUp}\n\n${list(honesty, receipts)}`;
}

function list({ reallyDone, statuses }: ServerTexts['honesty'], receipts: readonly Receipt[]): string {
  return [`${reallyDone}\n`, ...receipts.map(({ title, status }) => `- ${oneLine(title)}: ${statuses[status]}`)].join(
    '\n',
  );
}
