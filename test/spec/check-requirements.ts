import type { Requirement } from './requirement.ts';
import { statementId, type Statement } from './statement.ts';

export interface RequirementCheck {
  /** Everything that `docs/contract` promises. */
  readonly statements: readonly Statement[];
  /** The titles of the tests in a file. Undefined when the file does not exist. */
  readonly titlesOf: (file: string) => readonly string[] | undefined;
}

const wholeId = new RegExp(`^${statementId.source}$`);

/** The differences between the statements and the lists of their tests, one sentence for each fault. Empty when there is no fault. */
export function requirementFaults(requirements: readonly Requirement[], check: RequirementCheck): readonly string[] {
  const listed = new Set(requirements.map(({ id }) => id));
  const stated = new Set(check.statements.map(({ id }) => id));
  return [
    ...repeated(requirements.map(({ id }) => id)).map((id) => `${id}: its tests are listed twice`),
    ...repeated(check.statements.map(({ id }) => id)).map((id) => `${id}: the id is given twice`),
    ...repeated(statementTexts(check.statements)).map((text) => `${text}: stated twice`),
    ...requirements.flatMap((requirement) => faultsOf(requirement, stated, check)),
    ...check.statements
      .filter(({ id }) => !listed.has(id))
      .map(({ id, page }) => `${id}: ${page} promises it, and no test is listed`),
  ];
}

function faultsOf({ id, tests }: Requirement, stated: ReadonlySet<string>, check: RequirementCheck): readonly string[] {
  const faults: string[] = [];
  if (!wholeId.test(id)) faults.push('the id is not like wire-4-03');
  else if (!stated.has(id)) faults.push('no page of docs/contract states it');
  if (tests.length === 0) faults.push('no test proves it');
  for (const { file, title } of tests) {
    const fault = referenceFault(title, check.titlesOf(file));
    if (fault !== undefined) faults.push(`${file}: ${fault}`);
  }
  return faults.map((fault) => `${id}: ${fault}`);
}

function referenceFault(title: string, titles: readonly string[] | undefined): string | undefined {
  if (titles === undefined) return 'there is no such file';
  if (title.replaceAll(/%[a-z]/g, '').trim() === '') return `the title ${JSON.stringify(title)} names no single test`;
  const found = titles.filter((candidate) => candidate === title).length;
  if (found === 0) return `there is no test ${JSON.stringify(title)}`;
  return found > 1 ? `${String(found)} tests are called ${JSON.stringify(title)}` : undefined;
}

/** The text of each statement once for each of its places. A statement with several ids counts once. */
function statementTexts(statements: readonly Statement[]): readonly string[] {
  return statements
    .filter(({ page, text }, index) => statements[index - 1]?.page !== page || statements[index - 1]?.text !== text)
    .map(({ text }) => text);
}

function repeated(values: readonly string[]): readonly string[] {
  return [...new Set(values.filter((value, index) => values.indexOf(value) !== index))];
}
