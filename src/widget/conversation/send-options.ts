import type { PageContext, SendMessageOptions } from '../../wire/hub-methods.ts';
import type { UserMessage } from './conversation-state.ts';

/** What goes with a message (wire.md 3). */
export function sendOptions({ cardSubmit }: UserMessage, page: PageContext | undefined): SendMessageOptions {
  return { ...(page === undefined ? {} : { page }), ...(cardSubmit === undefined ? {} : { cardSubmit }) };
}
