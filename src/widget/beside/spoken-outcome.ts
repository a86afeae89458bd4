import type { Receipt } from '../../wire/hub-events.ts';
import type { TurnHubEvent } from '../conversation/apply-event.ts';
import type { ConfirmationEntry, ConversationState } from '../conversation/conversation-state.ts';
import { visibleParts } from '../conversation/visible-text.ts';
import { fill, type WidgetTexts } from '../texts/widget-texts.ts';
import { decidedText, outcomeText } from '../panel/state-texts.ts';
import { worded } from '../panel/worded.ts';

/**
 * The announcement for a decided question: how its action ended, or who else decided against it. Empty while the action still runs. Also
 * empty for what the user has just done, because the focus is on the line that says it.
 */
export function spokenOutcome(
  event: Extract<TurnHubEvent, { name: 'ActionCompleted' | 'ConfirmationResolved' }>,
  { entries }: ConversationState,
  texts: WidgetTexts,
): string {
  const { fields } = event;
  const entry = entries.findLast((each): each is ConfirmationEntry => {
    if (each.kind !== 'confirmation') return false;
    return 'actionId' in fields ? each.request.actionId === fields.actionId : each.request.callId === fields.callId;
  });
  if (entry === undefined) return '';
  const isApproved = entry.outcome === 'approved';
  const isEnd = 'actionId' in fields ? !isApproved && entry.by !== 'me' && !isStop(fields) : isApproved;
  if (!isEnd) return '';
  const { reason = '' } = entry.run ?? {};
  const line = isApproved
    ? decidedText(entry, texts)
    : `${worded(entry.request, texts).title}. ${outcomeText(entry, texts)}`;
  return spoken(reason === '' ? line : `${line}. ${reason}`);
}

/** The announcement of how actions without a line of their own ended. */
export function spokenReceipts(receipts: readonly Receipt[], { action }: WidgetTexts): string {
  return receipts.map(({ status, title }) => `${spoken(fill(action[status], { action: title }))}. `).join('');
}

/** Whether the user has stopped the turn. The stop has its own announcement. */
function isStop({ outcome, by }: { readonly outcome: string; readonly by: string }): boolean {
  return outcome === 'cancelled' && by === 'user';
}

function spoken(text: string): string {
  return visibleParts(text)
    .map((part) => part.text)
    .join('');
}
