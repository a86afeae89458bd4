import type { Block, List } from './block.ts';
import type { ListMarker } from './block-start.ts';
import type { Line } from './line.ts';

/** A quote or an item. It holds other blocks, and continues with the next line if that line has the right beginning. */
export interface Container {
  readonly blocks: Block[];
  /** The list of an item; null for a quote. */
  readonly list: List | null;
  /** Columns that the lines of an item are indented by. */
  readonly indent: number;
}

/** Removes the container's beginning from a line that continues it. False when the line does not continue it. */
export function goesOn({ list, blocks, indent }: Container, line: Line): boolean {
  if (list === null) return line.indent < 4 && takeQuoteMark(line);
  // An item that begins with an empty line ends with a second one.
  if (line.isBlank ? blocks.length === 0 : line.indent < indent) return false;
  line.skip(Math.min(line.indent, indent));
  return true;
}

/** Takes `>` and one column of white space. */
export function takeQuoteMark(line: Line): boolean {
  if (!line.text.startsWith('>')) return false;
  line.skip(line.indent + 1);
  if (line.indent > 0) line.skip(1);
  return true;
}

/** Takes the marker. Returns the number of columns by which the item's other lines are indented. */
export function takeListMarker(line: Line, { marker }: ListMarker): number {
  const width = line.indent + marker.length;
  line.skip(width);
  // With five columns of white space the item begins with indented code, and only one column belongs to the marker.
  const space = line.isBlank || line.indent > 4 ? 1 : line.indent;
  line.skip(space);
  return width + space;
}
