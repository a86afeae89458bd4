import { createHash } from 'node:crypto';
import { oneLine } from '../base/one-line.ts';
import { maxFactLength } from './fact-limits.ts';

/** The text of a fact on one line, without space around it. Undefined when the text is empty or too long. */
export function factText(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  const line = oneLine(text);
  return line === '' || line.length > maxFactLength ? undefined : line;
}

/** A hash that is the same for texts that differ only in case, space and punctuation. */
export function factHash(text: string): string {
  const letters = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return createHash('sha256').update(letters).digest('base64url').slice(0, 22);
}
