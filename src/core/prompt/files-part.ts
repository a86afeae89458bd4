import { influenceOf, joinInfluences } from '../provenance/influences.ts';
import { delimited } from './delimited.ts';
import type { PromptPart } from './user-message.ts';

/** What is sent of a file of the message. It is recorded as JSON. */
export interface SentFile {
  readonly name: string;
  /** The text, or its beginning. */
  readonly text: string;
  /** Characters of the whole text (UTF-16 code units). */
  readonly characters: number;
}

/** Whether only the beginning of a file is sent. */
export function isCut({ text, characters }: SentFile): boolean {
  return text.length < characters;
}

/**
 * The files of a message, as delimited data (contract/files.md#prompt). Their user sends them, but anybody may have written them. Empty
 * without a file.
 */
export function filesPart(files: readonly SentFile[]): PromptPart {
  const texts = files.map((file) => {
    const { name, text, characters } = file;
    const note = `The file is longer: these are its first ${String(text.length)} of ${String(characters)} characters.`;
    return delimited('file of the user', { name, ...(isCut(file) ? { note } : {}), text });
  });
  const influencedBy = joinInfluences(...files.map(({ name }) => influenceOf('document', name)));
  return { text: texts.join('\n'), origin: 'document', influencedBy };
}

/** The files as their user wrote them, for a check: in delimited data a sign may take six characters. Empty without a file. */
export function filesAsWritten(files: readonly SentFile[]): PromptPart {
  return { text: files.map(({ name, text }) => `${name}\n${text}`).join('\n'), origin: 'document' };
}

/**
 * The beginnings of texts that together have at most `most` characters. Short texts stay whole, and long ones share what is left. No
 * character is cut in two.
 */
export function sharedOut(texts: readonly string[], most: number): readonly string[] {
  let left = most;
  let waiting = texts.length;
  const shares = new Map<number, number>();
  for (const [index, text] of [...texts.entries()].sort(([, one], [, other]) => one.length - other.length)) {
    const share = Math.min(text.length, Math.floor(left / waiting));
    shares.set(index, share);
    left -= share;
    waiting -= 1;
  }
  return texts.map((text, index) => wholeCharacters(text.slice(0, shares.get(index) ?? 0)));
}

/** A text without the first half of a character at its end. */
function wholeCharacters(text: string): string {
  return text.isWellFormed() ? text : text.replace(/[\ud800-\udbff]$/, '');
}
