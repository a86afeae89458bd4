/** One promise of a page of `docs/contract`. */
export interface Statement {
  /** An id such as `wire-4-03`. A statement with several promises has several ids. It gives one entry for each id. */
  readonly id: string;
  /** The name of the page, such as `sse.md`. */
  readonly page: string;
  readonly text: string;
}

/** The promises of a page, and the items of its lists that have no id. */
export interface ContractPage {
  readonly statements: readonly Statement[];
  readonly withoutId: readonly string[];
}

/** The form of an id. The parts of an id have no meaning. */
export const statementId = /(?:wire|service|configuration|extending)-\d+(?:\.\d+)?-\d{2}/;

const trailingIds = new RegExp(`^(.*?\\S)((?: \`${statementId.source}\`)+)$`, 's');

/** Reads a page of the contract. Each item of a list outside code is a promise, and ends with its ids. */
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
