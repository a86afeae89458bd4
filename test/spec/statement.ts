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
  readonly kind: 'promise' | 'table';
  readonly text: string;
}

/**
 * Reads a page of the contract. Each item of a list and each paragraph is a promise that ends with its ids. A table belongs to a promise
 * right before or after it that says "table". Headings, code and quote blocks (`>`) promise nothing.
 */
export function readContractPage(page: string, markdown: string): ContractPage {
  const statements: Statement[] = [];
  const withoutId: string[] = [];
  const blocks = blocksOf(markdown);
  for (const [index, { kind, text: block }] of blocks.entries()) {
    if (kind === 'table') {
      if (!isStated(blocks, index)) withoutId.push(block);
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
  const isPromise = ({ kind }: Block): boolean => kind === 'promise';
  return [blocks.slice(0, index).findLast(isPromise), blocks.slice(index).find(isPromise)].some(
    (promise) => promise !== undefined && trailingIds.test(promise.text) && /\btable\b/.test(promise.text),
  );
}

function blocksOf(markdown: string): readonly Block[] {
  const blocks: Block[] = [];
  let inCode = false;
  /** Whether the next line belongs to the last block. */
  let goesOn = false;
  for (const line of markdown.split('\n').map((text) => text.trim())) {
    if (line.startsWith('```')) inCode = !inCode;
    if (inCode || line === '' || /^(?:```|#|>)/.test(line)) {
      goesOn = false;
      continue;
    }
    const item = /^(?:[-*+]|\d+\.) (.*)$/.exec(line)?.[1];
    const last = blocks.at(-1);
    if (item !== undefined) blocks.push({ kind: 'promise', text: item.trim() });
    else if (!goesOn || last === undefined)
      blocks.push({ kind: line.startsWith('|') ? 'table' : 'promise', text: line });
    else if (last.kind === 'promise') blocks.splice(-1, 1, { kind: 'promise', text: `${last.text} ${line}` });
    goesOn = true;
  }
  return blocks;
}
