import { LeftOut, readLimits } from '../read-limits.ts';
import { type ReadableText, SectionBuilder, tooManyCharacters } from '../section.ts';
import { UnseenMarkup } from './unseen-markup.ts';

/** A longer line is no heading. */
const longestHeadingLine = 500;

/** Reads Markdown with parts of a program in it, which are left out. */
export function readMdx(text: string): ReadableText {
  return readMarkdown(text, { isMdx: true });
}

/** Reads Markdown, section by section. The text keeps its marks, because models read Markdown. */
export function readMarkdown(text: string, kind: { readonly isMdx: boolean } = { isMdx: false }): ReadableText {
  if (text.length > readLimits.characters) throw tooManyCharacters();
  const builder = new SectionBuilder();
  let title: string | undefined;
  let fence: string | undefined;
  /** The line before. The next line may underline it, which makes it a heading. */
  let held: string | undefined;
  const release = (): void => {
    if (held !== undefined) builder.add(`${held}\n`);
    held = undefined;
  };
  const heading = (level: number, words: string): void => {
    if (level === 1) title ??= words === '' ? undefined : words;
    builder.heading(level, words);
  };
  const unseen = new UnseenMarkup(kind);
  for (const written of text.split('\n')) {
    const mark = unseen.isWithin ? undefined : fenceOf(written);
    const line = fence === undefined && mark === undefined ? unseen.seen(written) : written;
    if (line === undefined) continue;
    if (fence !== undefined || mark !== undefined) {
      release();
      builder.add(`${line}\n`);
      fence = fenceAfter(fence, mark);
      continue;
    }
    const found = headingOf(line);
    if (found !== undefined) {
      release();
      heading(found.level, found.words);
    } else if (held !== undefined && held.trim() !== '' && isUnderline(line)) {
      const words = plain(held);
      held = undefined;
      heading(line.trim().startsWith('=') ? 1 : 2, words);
    } else {
      release();
      held = line;
    }
  }
  release();
  const sections = builder.sections();
  if (sections.length === 0) throw new LeftOut('holds no text', { why: 'empty' });
  return { title, sections };
}

function fenceOf(line: string): string | undefined {
  return /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
}

/** A block of code ends with at least as many marks as it began with. */
function fenceAfter(open: string | undefined, mark: string | undefined): string | undefined {
  if (open === undefined) return mark;
  return mark?.startsWith(open) === true ? undefined : open;
}

function headingOf(line: string): { readonly level: number; readonly words: string } | undefined {
  if (line.length > longestHeadingLine) return undefined;
  const marks = /^ {0,3}(#{1,6})(?:[ \t]|$)/.exec(line)?.[1];
  if (marks === undefined) return undefined;
  const words = line.trim().slice(marks.length).trim();
  return { level: marks.length, words: plain(words.replace(/(?:^|[ \t])#{1,50}$/, '')) };
}

function isUnderline(line: string): boolean {
  return line.length <= longestHeadingLine && /^ {0,3}(?:=+|-+)[ \t]*$/.test(line);
}

/** A heading without its marks. */
function plain(words: string): string {
  if (words.length > longestHeadingLine) return words.slice(0, longestHeadingLine);
  return words
    .replace(/!?\[([^\][]{0,300})\]\([^()]{0,300}\)/g, '$1')
    .replace(/[*_`]{1,3}/g, '')
    .trim();
}
