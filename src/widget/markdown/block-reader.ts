import { maxDepth } from './block.ts';
import { type BlockStart, blockStart } from './block-start.ts';
import { BlockTree } from './block-tree.ts';
import { goesOn, takeListMarker, takeQuoteMark } from './container.ts';
import { addRow, codeLeaf, type OpenParagraph, paragraphText, takeCodeLine } from './leaf.ts';
import { Line } from './line.ts';
import { readAlignments, splitRow } from './table-row.ts';

/**
 * Reads blocks line by line, as the appendix of CommonMark describes. A line first continues the open quotes and items, then begins new
 * blocks, and the rest of it is text.
 */
export class BlockReader {
  readonly tree = new BlockTree();
  /** Where the current line and the line before it begin in the text. */
  #position = 0;
  #previous = 0;

  readLine(text: string, position: number): void {
    this.#previous = this.#position;
    this.#position = position;
    const { tree } = this;
    const line = new Line(text);
    const end = tree.containers.findIndex((container) => !goesOn(container, line));
    const depth = end < 0 ? tree.containers.length : end;
    const { isBlank } = line;
    const code = end < 0 && tree.leaf?.type === 'code' ? tree.leaf : null;
    if (code !== null) {
      const taken = takeCodeLine(code, line);
      if (taken === 'end') tree.closeTo(depth);
      if (taken !== 'none') {
        tree.noteBlank(isBlank && code.fence === '');
        return;
      }
    }
    if (isBlank) tree.closeTo(depth);
    else this.#begin(line, depth);
    tree.noteBlank(isBlank);
  }

  /** Begins blocks until only text is left of the line. The first `matched` containers continue. The others end unless the line is lazy. */
  #begin(line: Line, matched: number): void {
    const { tree } = this;
    let depth = matched;
    while (!line.isBlank) {
      const paragraph = tree.leaf?.type === 'paragraph' ? tree.leaf : null;
      // The rules below apply only to a line of the paragraph's own container.
      const own = depth === tree.containers.length ? paragraph : null;
      if (line.indent > 3) {
        if (paragraph !== null) break;
        const code = codeLeaf('', '', 0);
        takeCodeLine(code, line);
        tree.closeTo(depth);
        tree.openLeaf(code, this.#position);
        return;
      }
      if (own !== null && (this.#makeHeading(own, line.text) || this.#makeTable(own, line.text))) return;
      const start = blockStart(line.text, own !== null);
      const isContainer = start?.type === 'quote' || start?.type === 'item';
      if (start === null || (isContainer && depth >= maxDepth)) break;
      tree.closeTo(depth);
      if (!isContainer) {
        this.#openPlain(start, line.indent);
        return;
      }
      if (start.type === 'quote') {
        takeQuoteMark(line);
        tree.openQuote(this.#position);
      } else tree.openItem(start, takeListMarker(line, start), this.#position);
      depth = tree.containers.length;
    }
    this.#addText(line, depth);
  }

  /** Adds the line to the open paragraph or table, or to a new paragraph. */
  #addText(line: Line, depth: number): void {
    const { leaf, containers } = this.tree;
    const { text } = line;
    if (leaf?.type === 'paragraph') leaf.lines.push(text);
    else if (leaf?.type === 'table' && depth === containers.length) addRow(leaf, text);
    else {
      this.tree.closeTo(depth);
      if (text === '') return;
      const block = { type: 'paragraph', text } as const;
      this.tree.openLeaf({ type: 'paragraph', block, lines: [text] }, this.#position);
    }
  }

  /** Opens a block that holds no other blocks. */
  #openPlain(start: Exclude<BlockStart, { readonly type: 'quote' | 'item' }>, indent: number): void {
    const { tree } = this;
    if (start.type === 'fence') tree.openLeaf(codeLeaf(start.info, start.fence, indent), this.#position);
    else tree.append(start, this.#position);
  }

  /** A line of `=` or `-` makes the paragraph above it a heading. */
  #makeHeading(paragraph: OpenParagraph, line: string): boolean {
    const { tree } = this;
    if (!/^(?:=+|-+)[ \t]*$/.test(line)) return false;
    const text = paragraphText(paragraph.lines, tree.definitions);
    if (text === '') return false;
    tree.siblings[tree.siblings.length - 1] = { type: 'heading', depth: line.startsWith('=') ? 1 : 2, text };
    tree.leaf = null;
    return true;
  }

  /** A row of delimiters makes the line above it the head of a table with as many columns. */
  #makeTable(paragraph: OpenParagraph, line: string): boolean {
    const { tree } = this;
    const alignments = readAlignments(line);
    const head = splitRow(paragraph.lines.at(-1) ?? '');
    if (alignments?.length !== head.length) return false;
    paragraph.lines.pop();
    if (paragraph.lines.length === 0) {
      tree.removeLast();
      tree.leaf = null;
    } else tree.closeTo(tree.containers.length);
    tree.openLeaf({ type: 'table', block: { type: 'table', alignments, head, rows: [] } }, this.#previous);
    return true;
  }
}
