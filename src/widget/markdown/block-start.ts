/** What the first characters of a line begin, after its leading white space (CommonMark 4 and 5). */
export type BlockStart =
  | { readonly type: 'quote' }
  | { readonly type: 'rule' }
  | { readonly type: 'heading'; readonly depth: number; readonly text: string }
  | { readonly type: 'fence'; readonly fence: string; readonly info: string }
  | ListMarker;

export interface ListMarker {
  readonly type: 'item';
  readonly marker: string;
  /** Null for a bullet. */
  readonly start: number | null;
  /** The character that all markers of one list have. */
  readonly sign: string;
}

const rule = /^(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const heading = /^(#{1,6})(?:[ \t]|$)/;
const fence = /^(?:(`{3,})([^`]*)|(~{3,})(.*))$/;
const listMarker = /^(?:([-+*])|(\d{1,9})([.)]))(?=[ \t]|$)/;

/** The block that a line begins, or null when the line begins as text. After a paragraph (`isInParagraph`) some markers count as text. */
export function blockStart(line: string, isInParagraph: boolean): BlockStart | null {
  if (line.startsWith('>')) return { type: 'quote' };
  if (rule.test(line)) return { type: 'rule' };
  const headed = heading.exec(line);
  if (headed !== null) return { type: 'heading', depth: headed[1]?.length ?? 1, text: headingText(line) };
  const fenced = fence.exec(line);
  if (fenced !== null)
    return { type: 'fence', fence: fenced[1] ?? fenced[3] ?? '', info: fenced[2] ?? fenced[4] ?? '' };
  const [marker, bullet, number, delimiter] = listMarker.exec(line) ?? [];
  if (marker === undefined) return null;
  const start = number === undefined ? null : Number(number);
  if (isInParagraph && ((start ?? 1) !== 1 || line.trim() === marker)) return null;
  return { type: 'item', marker, start, sign: bullet ?? delimiter ?? '' };
}

/** The heading's text. Number signs at its end belong to the markup when white space stands before them. */
function headingText(line: string): string {
  return line
    .replace(/^#+/, '')
    .trim()
    .replace(/(?:^|[ \t])#+$/, '')
    .trim();
}
