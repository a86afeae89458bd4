import { oneLine } from '../base/one-line.ts';
import { typedText } from '../prompt/user-message.ts';
import type { KeptMessage } from '../request/kept-message.ts';

/** Most characters of a title (contract/sessions.md#kept-conversations). */
export const maxTitleLength = 120;

/** Most characters of a title that is made of the first words of a message. */
const maxWordsLength = 60;

/** The first words of a conversation. Empty when the user has typed nothing, for example when only a form was sent. */
export function titleOf(messages: readonly KeptMessage[]): string {
  for (const { message } of messages) {
    if (message.role !== 'user') continue;
    const words = plainTitle(typedText(message));
    if (words !== '') return shortened(words);
  }
  return '';
}

/** A title as it is shown: one line without invisible characters. */
export function plainTitle(text: string): string {
  return oneLine(text.slice(0, 4 * maxTitleLength));
}

/** The first characters of the words. The cut is made between two words when that keeps more than half of the characters. */
function shortened(words: string): string {
  const characters = Array.from(words);
  if (characters.length <= maxWordsLength) return words;
  const cut = characters.slice(0, maxWordsLength - 1).join('');
  const lastSpace = cut.lastIndexOf(' ');
  return `${lastSpace > cut.length / 2 ? cut.slice(0, lastSpace) : cut}…`;
}
