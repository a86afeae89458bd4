import { HelperError } from '../../core/errors/helper-error.ts';
import type { ConversationPlace } from '../../core/ports/conversation-store.ts';

/** The end of a page of a list, as a text that clients send back unread to get the next page. */
export function writePlace({ lastAt, id }: ConversationPlace): string {
  return Buffer.from(`${String(lastAt)}/${id}`).toString('base64url');
}

/** @throws HelperError `invalid_request` for a text that `writePlace` has not written. */
export function readPlace(text: string): ConversationPlace {
  const [, lastAt, id] = /^(\d{1,15})\/([A-Za-z0-9._-]{1,64})$/.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  if (lastAt === undefined || id === undefined) {
    throw new HelperError('invalid_request', 'before is not what `next` of an earlier page says.');
  }
  return { lastAt: Number(lastAt), id };
}
