import { cleanText } from './clean-text.ts';
import { decode } from './formats/text.ts';
import type { TextJob, TextResult } from './messages.ts';
import { isTextKind, readFormat, textReaders } from './read-format.ts';
import { LeftOut } from './read-limits.ts';
import type { ReadableText, Section } from './section.ts';

/** Reads a file that came with a message, whose bytes the job has. Never rejects: a fault of the file is a result. */
export async function readSent({ kind, data }: Pick<TextJob, 'kind' | 'data'>): Promise<TextResult> {
  try {
    const bytes = Buffer.from(data, 'base64');
    const content = isTextKind(kind) ? textReaders[kind](decode(bytes)) : await readFormat(kind, bytes);
    const text = wholeText(content);
    return text === '' ? { kind: 'unreadable', why: 'empty' } : { kind: 'text', text };
  } catch (error) {
    return { kind: 'unreadable', why: error instanceof LeftOut ? error.why : 'damaged' };
  }
}

/** The sections below their headings, one after the other. A PDF says where its pages begin. */
function wholeText({ sections }: ReadableText): string {
  let above: readonly string[] = [];
  const parts: string[] = [];
  for (const section of sections) {
    parts.push(...headingsOf(section, above), cleanText(section.text));
    above = section.path;
  }
  return parts.filter((part) => part !== '').join('\n\n');
}

/** The headings of a section that do not stand above the section before it. */
function headingsOf({ path, text, page }: Section, above: readonly string[]): readonly string[] {
  const same = path.findIndex((heading, level) => heading !== above[level]);
  const fresh = same < 0 ? [] : path.slice(same);
  // A heading without a text of its own is the text of its section.
  const shown = fresh.at(-1) === text ? fresh.slice(0, -1) : fresh;
  const first = Math.max(0, same);
  const lines = shown.map((heading, index) => `${'#'.repeat(Math.min(6, first + index + 1))} ${cleanText(heading)}`);
  return page === undefined ? lines : [`[page ${String(page)}]`, ...lines];
}
