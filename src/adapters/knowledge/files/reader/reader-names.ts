import { isReaderKey } from '../../../shared/is-reader-key.ts';
import { LeftOut } from './read-limits.ts';

/** The characters at the beginning of a document in which names of readers are looked for. */
const headLength = 2_000;

const keyOfLine = /^[\s>*?-]{0,20}([\p{L}\p{N}"'[{<._ -]{1,60}?)["'\]\s]{0,20}[:=]/u;

/**
 * Refuses a document without front matter that names readers near its beginning: above its first heading, or below a line that opens a
 * block. Whoever wrote it meant it for these readers only.
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
    // `role=` is an attribute of an HTML element and names no readers.
    if (isMeant && !/^\s*role=/i.test(shown) && isReaderKey(keyOfLine.exec(shown)?.[1] ?? '')) {
      throw new LeftOut(
        'names roles or tenants near its beginning, but not in front matter that begins in its first line',
      );
    }
  }
}
