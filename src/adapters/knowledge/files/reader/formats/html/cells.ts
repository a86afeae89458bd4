import type { TextTarget } from '../../section.ts';
import { type Span, TableGrid, tableText } from '../../table-text.ts';

type Rows = readonly (readonly string[])[];

type Block =
  | { readonly kind: 'text'; readonly words: string[] }
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'table'; readonly rows: Rows };

/** A cell with more characters is a part of a page's layout. */
const longestCell = 2_000;

/** The content of a cell. Only the whole table tells whether it is data, or the layout of a page. */
class Cell implements TextTarget {
  readonly blocks: Block[] = [];

  readonly span: Span;

  constructor(span: Span) {
    this.span = span;
  }

  add(text: string): void {
    const last = this.blocks.at(-1);
    if (last?.kind === 'text') last.words.push(text);
    else this.blocks.push({ kind: 'text', words: [text] });
  }

  heading(level: number, text: string): void {
    if (text !== '') this.blocks.push({ kind: 'heading', level, text });
  }

  table(rows: Rows): void {
    this.blocks.push({ kind: 'table', rows });
  }

  /** The content in one line. */
  line(): string {
    const parts = this.blocks.map((block) => {
      if (block.kind === 'text') return block.words.join('');
      if (block.kind === 'heading') return ` ${block.text} `;
      return ` ${block.rows.map((row) => row.join(', ')).join('; ')} `;
    });
    return parts.join('').trim();
  }

  /** Whether the cell holds headings with text below them. */
  hasSections(): boolean {
    return (
      this.blocks.some(({ kind }) => kind === 'heading') &&
      this.blocks.some(
        (block) => block.kind === 'table' || (block.kind === 'text' && block.words.join('').trim() !== ''),
      )
    );
  }

  writeTo(target: TextTarget): void {
    for (const block of this.blocks) {
      if (block.kind === 'heading') target.heading(block.level, block.text);
      else if (block.kind === 'table') writeTable(block.rows, target);
      else target.add(block.words.join(''));
    }
  }
}

function writeTable(rows: Rows, target: TextTarget): void {
  if (target instanceof Cell) target.table(rows);
  else target.add(`\n\n${tableText(rows)}\n\n`);
}

/** A table of a page, while the walk is in it. */
export class PageTable {
  readonly #rows: Cell[][] = [];
  readonly #isLayout: boolean;
  /** The text before the first cell: the caption. */
  readonly #before = new Cell({ columns: 1, rows: 1 });

  /** `isLayout`: the page says itself that the table holds no data. */
  constructor(isLayout: boolean) {
    this.#isLayout = isLayout;
  }

  row(): void {
    this.#rows.push([]);
  }

  cell(span: Span): TextTarget {
    if (this.#rows.length === 0) this.row();
    const cell = new Cell(span);
    this.#rows.at(-1)?.push(cell);
    return cell;
  }

  get caption(): TextTarget {
    return this.#before;
  }

  /** Writes the table where it stands: as rows, or as the texts that its cells lay out. */
  writeTo(target: TextTarget): void {
    this.#before.writeTo(target);
    const cells = this.#rows.flat();
    const lines = cells.map((cell) => cell.line());
    const isData =
      !this.#isLayout &&
      this.#rows.some((row) => row.filter((cell) => cell.blocks.length > 0).length > 1) &&
      lines.every((line) => line.length <= longestCell) &&
      !cells.some((cell) => cell.hasSections());
    if (isData) {
      writeTable(this.#grid(lines).rows(), target);
      return;
    }
    for (const cell of cells) {
      target.add('\n\n');
      cell.writeTo(target);
    }
    target.add('\n\n');
  }

  #grid(lines: readonly string[]): TableGrid {
    const grid = new TableGrid();
    let at = 0;
    for (const row of this.#rows) {
      grid.row();
      for (const { span } of row) {
        grid.cell(lines[at] ?? '', span);
        at += 1;
      }
    }
    return grid;
  }
}
