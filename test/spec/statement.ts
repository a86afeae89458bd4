/** One promise of a page of `docs/contract`. */
export interface Statement {
  /** An id such as `wire-4-03`. A statement with several promises has several ids. It gives one entry for each id. */
  readonly id: string;
  /** The name of the page, such as `sse.md`. */
  readonly page: string;
  readonly text: string;
}

/** The promises of a page, and its parts that have no id. */
export interface ContractPage {
  readonly statements: readonly Statement[];
  /** Items of lists and paragraphs without an id, and tables that no statement beside them names. */
  readonly withoutId: readonly string[];
}

/** The form of an id. The parts of an id have no meaning. */
export const statementId = /(?:wire|service|configuration|extending)-\d+(?:\.\d+)?-\d{2}/;

const trailingIds = new RegExp(`^(.*?\\S)((?: \`${statementId.source}\`)+)$`, 's');

/** A part of a page between empty lines, or an item of a list. `text` has no line breaks. For a table it is the first line. */
interface Block {
  readonly kind: 'promise' | 'table' | 'heading' | 'unreadable';
  readonly text: string;
}

/**
 * Reads a page of the contract. Each item of a list and each paragraph is a promise that ends with its ids. A table belongs to a promise
 * right before or after it, in its section, that says "this table". Headings, code and quote blocks (`>`) promise nothing.
 */
export function readContractPage(page: string, markdown: string): ContractPage {
  const statements: Statement[] = [];
  const withoutId: string[] = [];
  const blocks = blocksOf(markdown);
  for (const [index, { kind, text: block }] of blocks.entries()) {
    if (kind === 'heading' || (kind === 'table' && isStated(blocks, index))) continue;
    if (kind !== 'promise') {
      withoutId.push(block);
      continue;
    }
    const [, text, ids] = trailingIds.exec(block) ?? [];
    if (text === undefined || ids === undefined) withoutId.push(block);
    else statements.push(...[...ids.matchAll(/`([^`]+)`/g)].map(([, id = '']) => ({ id, page, text })));
  }
  return { statements, withoutId };
}

/** Whether the promise right before a table or right after it speaks of the table. Tables in a row count as one. */
function isStated(blocks: readonly Block[], index: number): boolean {
  const isOther = ({ kind }: Block): boolean => kind !== 'table';
  return [blocks.slice(0, index).findLast(isOther), blocks.slice(index).find(isOther)].some(
    (beside) =>
      beside?.kind === 'promise' &&
      trailingIds.test(beside.text) &&
      /\b(?:this|the|first|second|both) tables?\b/i.test(beside.text),
  );
}

function blocksOf(markdown: string): readonly Block[] {
  const blocks: Block[] = [];
  let inCode = false;
  /** Whether the next line belongs to the last block. */
  let goesOn = false;
  for (const line of markdown.split('\n').map((text) => text.trim())) {
    const isFence = /^```[^`]*$/.test(line);
    if (isFence) inCode = !inCode;
    const isRead = !inCode && !isFence && line !== '';
    const block = isRead ? blockOf(line) : undefined;
    const last = blocks.at(-1);
    const joins = goesOn && last?.kind === 'promise' && block?.kind === 'promise' && block.text === line;
    if (joins) blocks.splice(-1, 1, { kind: 'promise', text: `${last.text} ${line}` });
    else if (block !== undefined && !(goesOn && last?.kind === 'table' && block.kind === 'table')) blocks.push(block);
    goesOn = block !== undefined;
  }
  if (inCode) blocks.push({ kind: 'unreadable', text: 'code without an end' });
  return blocks;
}

/** The block that a line begins, unless the line continues the block before it. Undefined for a quote that explains. */
function blockOf(line: string): Block | undefined {
  if (/^#{1,6} /.test(line)) return { kind: 'heading', text: line };
  if (line.startsWith('>')) {
    // A list or a table in a quote would look like a promise.
    return /^>\s*(?:[-*+|]|\d+[.)])/.test(line) ? { kind: 'unreadable', text: line } : undefined;
  }
  if (line.startsWith('|')) return { kind: 'table', text: line };
  return { kind: 'promise', text: line.replace(/^(?:[-*+]|\d+[.)])\s+/, '') };
}
