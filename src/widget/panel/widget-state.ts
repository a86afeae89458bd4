import { type ConversationState, isOpenQuestion } from '../conversation/conversation-state.ts';
import type { WidgetState } from '../page-types.ts';

/** What a page learns of a conversation. */
export function widgetState({
  turn,
  connection,
  entries,
  isAside,
}: ConversationState): Pick<WidgetState, 'isRunning' | 'openConfirmations' | 'connection'> {
  const open = entries.filter(isOpenQuestion);
  return { isRunning: turn !== null && !isAside, openConfirmations: open.length, connection };
}
