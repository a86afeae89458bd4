import type { Alignment } from './block.ts';

const delimiterRow = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

/** Nobody reads more columns. Rows are filled up to the number of columns, so that number must not grow with the text. */
const maxColumns = 128;

/** The alignments that the line below a table's head declares; null for any other line. */
export function readAlignments(line: string): Alignment[] | null {
  if (!delimiterRow.test(line)) return null;
  const cells = splitRow(line);
  return cells.length > maxColumns ? null : cells.map(alignmentOf);
}

/** The cells of a row. A pipe after a backslash is no border, not even in code (GFM 4.10). */
export function splitRow(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
}

function alignmentOf(cell: string): Alignment {
  if (cell.endsWith(':')) return cell.startsWith(':') ? 'center' : 'right';
  return cell.startsWith(':') ? 'left' : null;
}
