import type { CurrentPage, TurnMessage } from '../request/turn-request.ts';

/** What a waiting message takes beside what was said: it counts toward the limit as well. */
const overheadBytes = 512;

/** Bytes that a message holds while it waits for its turn, at most. Its images are counted apart (`takeImages`). */
export function queuedBytes(message: TurnMessage, page: CurrentPage | undefined): number {
  const characters = message.text.length + lengthOf(message.warnings) + lengthOf(message.cardSubmit);
  return overheadBytes + 2 * (characters + lengthOf(page));
}

function lengthOf(value: object | undefined): number {
  return value === undefined ? 0 : JSON.stringify(value).length;
}
