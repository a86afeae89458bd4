import type { Block, List } from './block.ts';
import type { ListMarker } from './block-start.ts';
import type { Line } from './line.ts';

/** A quote or an item: it holds other blocks, and goes on with the next line when that begins as it must. */
export interface Container {
  readonly blocks: Block[];
  /** The list of an item; null for a quote. */
  readonly list: List | null;
  /** Columns that the lines of an item are indented by. */
  readonly indent: number;
}

/** Takes the container's own beginning off a line that goes on with it. False when the line does not. */
export function goesOn({ list, blocks, indent }: Container, line: Line): boolean {
  if (list === null) return line.indent < 4 && takeQuoteMark(line);
  // An item that has begun with an empty line ends with the next one.
  if (line.isBlank ? blocks.length === 0 : line.indent < indent) return false;
  line.skip(Math.min(line.indent, indent));
  return true;
}

/** `>` and one column of white space. */
export function takeQuoteMark(line: Line): boolean {
  if (!line.text.startsWith('>')) return false;
  line.skip(line.indent + 1);
  if (line.indent > 0) line.skip(1);
  return true;
}

/** Takes the marker and says by how many columns the item's other lines are indented. */
export function takeListMarker(line: Line, { marker }: ListMarker): number {
  const width = line.indent + marker.length;
  line.skip(width);
  // Five columns are one column and indented code.
  const space = line.isBlank || line.indent > 4 ? 1 : line.indent;
  line.skip(space);
  return width + space;
}
