import { tokensOf } from '../../../shared/words/words.ts';
import type { Chunk } from './messages.ts';
import type { Section } from './section.ts';
import { splitText } from './split-text.ts';

/** The parts of a document, each with the headings above it and with its tokens. */
export function makeChunks(
  sections: readonly Section[],
  { title, language }: { readonly title: string; readonly language: string },
): readonly Chunk[] {
  return sections.flatMap(({ path, text, page }) => {
    // The title is put before the headings anyway.
    const headings = path[0] === title ? path.slice(1) : path;
    const titleTokens = tokensOf([title, ...headings].join('\n'), language).join(' ');
    const parts = splitText(text, language).filter((part) => /[\p{L}\p{N}]/u.test(part));
    return parts.map((part) => ({
      path: headings.join(' › '),
      page: page ?? null,
      text: part,
      titleTokens,
      bodyTokens: tokensOf(withoutAddresses(part), language).join(' '),
    }));
  });
}

/** Removes addresses, because nobody asks with the words of an address. */
function withoutAddresses(text: string): string {
  return text.replace(/\]\((?:https?:|\/|\.|#)[^()\s]{0,2000}\)/g, ']').replace(/\bhttps?:\/\/\S*/g, ' ');
}
