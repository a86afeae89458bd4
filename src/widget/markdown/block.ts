/** A block of a text. Inline text stays as it was written until somebody draws it (`read-inline.ts`). */
export type Block =
  | { readonly type: 'paragraph'; readonly text: string }
  | { readonly type: 'heading'; readonly depth: number; readonly text: string }
  | { readonly type: 'code'; readonly text: string; readonly info: string }
  | { readonly type: 'rule' }
  | { readonly type: 'quote'; readonly blocks: Block[] }
  | List
  | Table;

export interface List {
  readonly type: 'list';
  /** The character that all markers of the list have. */
  readonly sign: string;
  /** Null in a list of bullets. */
  readonly start: number | null;
  /** A loose list shows its text as paragraphs. The value is final once the whole list was read. */
  isLoose: boolean;
  readonly items: Block[][];
}

export interface Table {
  readonly type: 'table';
  readonly alignments: readonly Alignment[];
  /** As many cells as there are alignments. */
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export type Alignment = 'left' | 'center' | 'right' | null;

/** A block that stands in no other block. */
export interface TopBlock {
  readonly block: Block;
  /** The text of this block up to the next top block. The `raw` of all top blocks together is the whole text. */
  readonly raw: string;
}

/**
 * The address of each link definition by its label, as `labelKey` writes it. The label of a footnote begins with `^`, and in the place of an
 * address stands its text.
 */
export type Definitions = ReadonlyMap<string, string>;

/** The deepest nesting of lists, quotes and emphasis. Anything deeper becomes plain text, because nobody reads it as structure. */
export const maxDepth = 32;
