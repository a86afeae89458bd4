/** The most characters of a part: about 300 tokens, so that five parts leave room for the rest of a prompt. */
export const partLength = 1_200;

/** The most characters in which sentences are looked for at once. */
const windowLength = 20_000;

/** A header that is longer leaves too little room for the rows below it, so it is not repeated. */
const longestHeader = partLength / 2;

interface Piece {
  readonly text: string;
  /** What is put before the piece where a part begins with it: the header of its table. */
  readonly header?: string;
}

/**
 * Cuts a text into parts of at most `partLength` characters: between paragraphs, else between rows of a table or sentences, else between
 * words. Each part that begins within a table begins with the table's header.
 */
export function splitText(text: string, language: string): readonly string[] {
  const pieces = text.split(/\n{2,}/).flatMap((paragraph): readonly Piece[] => {
    if (paragraph.length <= partLength) return [{ text: `${paragraph}\n\n` }];
    const table = tableIn(paragraph);
    if (table === undefined) return [...sentencesOf(paragraph, language), '\n\n'].map((piece) => ({ text: piece }));
    return [...piecesOfTable(table, language)];
  });
  const parts: string[] = [];
  let part = '';
  for (const piece of pieces) {
    if (part !== '' && part.length + piece.text.trimEnd().length > partLength) {
      parts.push(part);
      part = piece.header ?? '';
    }
    part += piece.text;
  }
  parts.push(part);
  return parts.map((one) => one.trim()).filter((one) => one !== '');
}

interface Table {
  readonly before: string;
  /** The row of headings and the line below it. */
  readonly header: string;
  readonly rows: readonly string[];
}

/** The line below the headings of a table. */
function isDelimiterRow(line: string): boolean {
  return line.includes('|') && line.includes('-') && /^[ \t|:-]+$/.test(line);
}

/** The Markdown table in a paragraph. */
function tableIn(paragraph: string): Table | undefined {
  const lines = paragraph.split('\n');
  const at = lines.findIndex(isDelimiterRow);
  if (at < 1) return undefined;
  const header = `${lines.slice(at - 1, at + 1).join('\n')}\n`;
  return { before: lines.slice(0, at - 1).join('\n'), header, rows: lines.slice(at + 1) };
}

function* piecesOfTable({ before, header, rows }: Table, language: string): Generator<Piece> {
  if (before !== '') for (const text of sentencesOf(`${before}\n`, language)) yield { text };
  const repeated = header.length <= longestHeader ? header : '';
  const room = partLength - repeated.length;
  const [first = '', ...others] = rows;
  // The header never stands alone at the end of a part.
  const begin = [...cut(`${header}${first}\n`, room)];
  for (const [index, text] of begin.entries()) yield index === 0 ? { text } : { text, header: repeated };
  for (const row of others) for (const text of cut(`${row}\n`, room)) yield { text, header: repeated };
  yield { text: '\n\n' };
}

function* sentencesOf(paragraph: string, language: string): Generator<string> {
  const segmenter = segmenterOf(language);
  for (const window of cut(paragraph, windowLength)) {
    for (const { segment } of segmenter.segment(window)) yield* cut(segment, partLength);
  }
}

/** Cuts behind a space where there is one, and never through a character. */
function* cut(text: string, length: number): Generator<string> {
  let start = 0;
  while (text.length - start > length) {
    const space = text.lastIndexOf(' ', start + length - 1);
    let end = space > start + length / 2 ? space + 1 : start + length;
    if (/[\ud800-\udbff]/.test(text[end - 1] ?? '')) end -= 1;
    yield text.slice(start, end);
    start = end;
  }
  if (start < text.length) yield text.slice(start);
}

const segmenters = new Map<string, Intl.Segmenter>();

function segmenterOf(language: string): Intl.Segmenter {
  const known = segmenters.get(language);
  if (known !== undefined) return known;
  const segmenter = new Intl.Segmenter(/^[a-z]{2}$/.test(language) ? language : 'en', { granularity: 'sentence' });
  segmenters.set(language, segmenter);
  return segmenter;
}
