import type { Table } from './block.ts';
import type { Line } from './line.ts';
import { splitRow } from './table-row.ts';
import { takeDefinitions } from './take-definitions.ts';

/** A block of text that the next line may continue. */
export type Leaf = OpenParagraph | OpenCode | OpenTable;

export interface OpenParagraph {
  readonly type: 'paragraph';
  readonly block: { readonly type: 'paragraph'; text: string };
  readonly lines: string[];
}

export interface OpenCode {
  readonly type: 'code';
  readonly block: { readonly type: 'code'; text: string; readonly info: string };
  readonly lines: string[];
  /** Empty for code that is marked by its indentation. */
  readonly fence: string;
  readonly indent: number;
}

export interface OpenTable {
  readonly type: 'table';
  readonly block: Table & { readonly rows: string[][] };
}

/** Begins code: behind a fence, or by its indentation where `fence` is empty. */
export function codeLeaf(info: string, fence: string, indent: number): OpenCode {
  return { type: 'code', block: { type: 'code', text: '', info }, lines: [], fence, indent };
}

/** Reads a line while code is open: the line belongs to the code, is the fence that ends the code, or is no part of it. */
export function takeCodeLine({ fence, indent, lines }: OpenCode, line: Line): 'more' | 'end' | 'none' {
  const isDeep = line.indent > 3;
  if (fence === '') {
    if (!isDeep && !line.isBlank) return 'none';
    line.skip(4);
  } else {
    const text = line.rest.trim();
    if (!isDeep && text.startsWith(fence) && text === fence.charAt(0).repeat(text.length)) return 'end';
    line.skip(Math.min(line.indent, indent));
  }
  lines.push(line.rest);
  return 'more';
}

/** Adds a line to a table. A short row is filled up. Cells beyond the head's columns are dropped (GFM 4.10). */
export function addRow({ block }: OpenTable, line: string): void {
  const cells = splitRow(line);
  block.rows.push(block.alignments.map((_, index) => cells[index] ?? ''));
}

/** Writes the text of a block that has ended. False when the block held only definitions. */
export function endLeaf(leaf: Leaf, definitions: Map<string, string>): boolean {
  if (leaf.type === 'paragraph') {
    leaf.block.text = paragraphText(leaf.lines, definitions);
    return leaf.block.text !== '';
  }
  if (leaf.type === 'code') {
    if (leaf.fence === '') while (leaf.lines.at(-1)?.trim() === '') leaf.lines.pop();
    leaf.block.text = leaf.lines.join('\n');
  }
  return true;
}

/** The paragraph's lines without the definitions before them. */
export function paragraphText(lines: readonly string[], definitions: Map<string, string>): string {
  const text = lines.join('\n').trimEnd();
  return text.startsWith('[') ? takeDefinitions(text, definitions) : text;
}
