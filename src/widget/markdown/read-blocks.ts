import type { Definitions, TopBlock } from './block.ts';
import { BlockReader } from './block-reader.ts';

/** A text as its blocks. */
export interface ReadText {
  readonly blocks: readonly TopBlock[];
  /** A definition can change how any block of the text is drawn, including earlier blocks. */
  readonly definitions: Definitions;
}

/** Reads GitHub-flavoured Markdown in one pass over its lines. HTML counts as text. */
export function readBlocks(text: string): ReadText {
  const source = normaliseLines(text);
  const reader = new BlockReader();
  let position = 0;
  // A line end at the end of the text begins no further line.
  for (const line of source.replace(/\n$/, '').split('\n')) {
    reader.readLine(line, position);
    position += line.length + 1;
  }
  const { tree } = reader;
  tree.closeTo(0);
  const { blocks, starts, definitions } = tree;
  return {
    blocks: blocks.map((block, index) => ({
      block,
      raw: source.slice(index === 0 ? 0 : starts[index], starts[index + 1]),
    })),
    definitions,
  };
}

/** Turns every line end into one character. All lengths are counted in the result. */
export function normaliseLines(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}
