import { isReaderKey } from '../../../shared/is-reader-key.ts';
import { LeftOut } from './read-limits.ts';

/** How far into a document somebody may have meant to say who may read it. */
const headLength = 2_000;

const keyOfLine = /^[\s>*?-]{0,20}([\p{L}\p{N}"'[{<._ -]{1,60}?)["'\]\s]{0,20}[:=]/u;

/**
 * A document without front matter whose beginning names readers was meant for a few: above its first heading, or below a line that
 * opens a block.
 * @throws LeftOut for such a document.
 */
export function refuseStrayReaders(text: string): void {
  let isAboveHeadings = true;
  let isBlock = false;
  let isCode = false;
  for (const line of text.slice(0, headLength).split('\n')) {
    const shown = line.replace(/\p{Cf}/gu, '');
    if (/^\s*(?:---|\+\+\+|;;;)/.test(shown)) isBlock = true;
    if (/^\s*(?:```|~~~)/.test(shown)) isCode = !isCode;
    if (/^ {0,3}#{1,6}[ \t]|<h[1-6]/i.test(shown)) isAboveHeadings = false;
    const isMeant = isAboveHeadings || (isBlock && !isCode);
    // An attribute of an HTML element is no key.
    if (isMeant && !/^\s*role=/i.test(shown) && isReaderKey(keyOfLine.exec(shown)?.[1] ?? '')) {
      throw new LeftOut(
        'names roles or tenants near its beginning, but not in front matter that begins in its first line',
      );
    }
  }
}
