import type { ContractPage, Statement } from './read-contract-page.ts';

/** What is wrong with the pages of the contract, one sentence for each fault. `proven` has the ids of the statements with a test. */
export function statementFaults(pages: readonly ContractPage[], proven: ReadonlySet<string>): readonly string[] {
  const statements = pages.flatMap((page) => page.statements);
  return [
    ...pages
      .flatMap(({ withoutId }) => withoutId)
      .map(({ page, line, text }) => `${page}:${line}: a promise without an id: ${text}`),
    ...repeated(statements, ({ id }) => id).map(({ page, line, id }) => `${page}:${line}: ${id} is given twice`),
    ...repeated(sentencesOf(statements), ({ text }) => text).map(
      ({ page, line, text }) => `${page}:${line}: stated twice: ${text}`,
    ),
    ...statements
      .filter(({ id }) => !proven.has(id))
      .map(({ page, line, id }) => `${page}:${line}: no test proves ${id}`),
  ];
}

/** The differences between the pages that there are and those that the first page lists. */
export function listFaults(index: string, pages: readonly string[]): readonly string[] {
  const listed = [...index.matchAll(/^\| \[[^\]]+\]\(([\w-]+\.md)\)/gm)].map(([, page = '']) => page);
  return [
    ...pages.filter((page) => !listed.includes(page)).map((page) => `the first page does not list ${page}`),
    ...listed.filter((page) => !pages.includes(page)).map((page) => `the first page lists ${page}, which is not there`),
  ];
}

/** One statement for each sentence: a sentence may have several ids. */
function sentencesOf(statements: readonly Statement[]): readonly Statement[] {
  return statements.filter(({ page, line }, index) => {
    const before = statements[index - 1];
    return before?.page !== page || before.line !== line;
  });
}

/** The statements after the first one of the same key. */
function repeated(statements: readonly Statement[], key: (statement: Statement) => string): readonly Statement[] {
  const seen = new Set<string>();
  return statements.filter((statement) => seen.size === seen.add(key(statement)).size);
}
