import { LeftOut, readLimits } from '../read-limits.ts';
import { type ReadableText, tooManyCharacters } from '../section.ts';

/**
 * Decodes the text of a file. Its byte order mark names the encoding; without one, `charset` does.
 * @throws LeftOut when the bytes are not valid, or not text.
 */
export function decode(bytes: Buffer, charset = 'utf-8'): string {
  let text: string;
  try {
    text = new TextDecoder(charsetOf(bytes) ?? charset, { fatal: true }).decode(bytes);
  } catch {
    throw new LeftOut(`is not valid ${charsetOf(bytes) ?? charset} text`);
  }
  if (text.includes('\0')) throw new LeftOut('is not text');
  return text.replace(/\r\n?/g, '\n');
}

/** A text without headings. */
export function readText(text: string): ReadableText {
  if (text.length > readLimits.characters) throw tooManyCharacters();
  return { sections: [{ path: [], text: text.trim() }] };
}

function charsetOf(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}
