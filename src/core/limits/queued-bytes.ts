import type { CurrentPage, TurnMessage } from '../request/turn-request.ts';

/** Bytes that a waiting message takes beside its content. They count toward the limit too. */
const overheadBytes = 512;

/** Most bytes that a message holds while it waits for its turn. The bytes of its attachments are counted apart (`takeAttachments`). */
export function queuedBytes(message: TurnMessage, page: CurrentPage | undefined): number {
  const characters = message.text.length + lengthOf(message.warnings) + lengthOf(message.cardSubmit);
  return overheadBytes + 2 * (characters + lengthOf(page));
}

function lengthOf(value: object | undefined): number {
  return value === undefined ? 0 : JSON.stringify(value).length;
}
