/** One promise of a page of `docs/contract`. */
export interface Statement {
  /** Such as `wire-4-03`. A statement that joins several promises has several ids, and is one entry for each. */
  readonly id: string;
  /** Such as `sse.md`. */
  readonly page: string;
  readonly text: string;
}

/** What a page promises, and the items of its lists that have no id. */
export interface ContractPage {
  readonly statements: readonly Statement[];
  readonly withoutId: readonly string[];
}

/** The form of an id. Its parts mean nothing. */
export const statementId = /(?:wire|service|configuration|extending)-\d+(?:\.\d+)?-\d{2}/;

const trailingIds = new RegExp(`^(.*?\\S)((?: \`${statementId.source}\`)+)$`, 's');

/** Reads a page of the contract: each item of a list outside code is a promise that ends with its ids. */
export function readContractPage(page: string, markdown: string): ContractPage {
  const statements: Statement[] = [];
  const withoutId: string[] = [];
  for (const item of listItems(markdown)) {
    const [, text, ids] = trailingIds.exec(item) ?? [];
    if (text === undefined || ids === undefined) withoutId.push(item);
    else statements.push(...[...ids.matchAll(/`([^`]+)`/g)].map(([, id = '']) => ({ id, page, text })));
  }
  return { statements, withoutId };
}

/** The items of all lists, each on one line. */
function listItems(markdown: string): readonly string[] {
  const items: string[] = [];
  let inCode = false;
  let inItem = false;
  for (const line of markdown.split('\n')) {
    if (line.trimStart().startsWith('```')) inCode = !inCode;
    const begins = !inCode && /^\s*(?:[-*+]|\d+\.) /.test(line);
    if (begins) items.push(line.replace(/^\s*(?:[-*+]|\d+\.) /, '').trim());
    else if (inItem && !inCode && line.trim() !== '') items.push(`${items.pop() ?? ''} ${line.trim()}`);
    inItem = begins || (inItem && line.trim() !== '');
  }
  return items;
}
