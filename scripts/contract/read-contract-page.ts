/** One promise of a page of `docs/contract`. */
export interface Statement {
  /** An id such as `wire-4-03`. A statement with several promises has several ids. It gives one entry for each id. */
  readonly id: string;
  /** The path of the page. */
  readonly page: string;
  readonly line: number;
  readonly text: string;
}

/** The promises of a page, and its parts that have no id. */
export interface ContractPage {
  readonly statements: readonly Statement[];
  /** Items of lists and paragraphs without an id, and tables that no statement beside them names. */
  readonly withoutId: readonly Pick<Statement, 'page' | 'line' | 'text'>[];
}

/** The form of an id. The parts of an id have no meaning. */
export const statementId = /(?:wire|service|configuration|extending)-\d+(?:\.\d+)?-\d{2}/;

const trailingIds = new RegExp(`^(.*?\\S)((?: \`${statementId.source}\`)+)$`, 's');

/** A part of a page between empty lines, or an item of a list. `text` has no line breaks. For a table it is the first line. */
interface Block {
  readonly kind: 'promise' | 'table' | 'heading' | 'unreadable';
  readonly text: string;
  /** The number of its first line. */
  readonly line: number;
}

/**
 * Reads a page of the contract. Each item of a list and each paragraph is a promise that ends with its ids. A table belongs to a promise
 * right before or after it, in its section, that says "this table". Headings, code and quote blocks (`>`) promise nothing.
 */
export function readContractPage(page: string, markdown: string): ContractPage {
  const statements: Statement[] = [];
  const withoutId: ContractPage['withoutId'][number][] = [];
  const blocks = blocksOf(markdown);
  for (const [index, { kind, text: block, line }] of blocks.entries()) {
    if (kind === 'heading' || (kind === 'table' && isStated(blocks, index))) continue;
    if (kind !== 'promise') {
      withoutId.push({ page, line, text: block });
      continue;
    }
    const [, text, ids] = trailingIds.exec(block) ?? [];
    if (text === undefined || ids === undefined) withoutId.push({ page, line, text: block });
    else statements.push(...[...ids.matchAll(/`([^`]+)`/g)].map(([, id = '']) => ({ id, page, line, text })));
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
  for (const [index, written] of markdown.split('\n').entries()) {
    const text = written.trim();
    const isFence = /^```[^`]*$/.test(text);
    if (isFence) inCode = !inCode;
    const isRead = !inCode && !isFence && text !== '';
    const block = isRead ? blockOf(text, index + 1) : undefined;
    const last = blocks.at(-1);
    const joins = goesOn && last?.kind === 'promise' && block?.kind === 'promise' && block.text === text;
    if (joins) blocks.splice(-1, 1, { ...last, text: `${last.text} ${text}` });
    else if (block !== undefined && !(goesOn && last?.kind === 'table' && block.kind === 'table')) blocks.push(block);
    goesOn = block !== undefined;
  }
  if (inCode) blocks.push({ kind: 'unreadable', text: 'code without an end', line: markdown.split('\n').length });
  return blocks;
}

/** The block that a line begins, unless the line continues the block before it. Undefined for a quote that explains. */
function blockOf(text: string, line: number): Block | undefined {
  if (/^#{1,6} /.test(text)) return { kind: 'heading', text, line };
  if (text.startsWith('>')) {
    // A list or a table in a quote would look like a promise.
    return /^>\s*(?:[-*+|]|\d+[.)])/.test(text) ? { kind: 'unreadable', text, line } : undefined;
  }
  if (text.startsWith('|')) return { kind: 'table', text, line };
  return { kind: 'promise', text: text.replace(/^(?:[-*+]|\d+[.)])\s+/, ''), line };
}
