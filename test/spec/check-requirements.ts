import type { Requirement } from './requirement.ts';

export interface RequirementCheck {
  /** Every section that must be present; no other may be named. */
  readonly sections: readonly string[];
  /** The titles of a file's tests; undefined when there is no such file. */
  readonly titlesOf: (file: string) => readonly string[] | undefined;
}

const idPattern = /^(wire|service|configuration|extending)-(\d+(?:\.\d+)?)-\d{2}$/;

/** What is wrong with a list of requirements, one sentence per fault; empty when all is well. */
export function requirementFaults(requirements: readonly Requirement[], check: RequirementCheck): readonly string[] {
  return [
    ...repeated(requirements.map(({ id }) => id)).map((id) => `${id}: the id is given twice`),
    ...repeated(requirements.map(({ source, says }) => `${source}: ${says}`)).map((says) => `${says}: listed twice`),
    ...requirements.flatMap((requirement) => faultsOf(requirement, check)),
    ...check.sections
      .filter((section) => !requirements.some(({ source }) => source === section))
      .map((section) => `${section}: no requirement of this section is listed`),
  ];
}

function faultsOf(requirement: Requirement, check: RequirementCheck): readonly string[] {
  const { id, source, says, tests } = requirement;
  const faults: string[] = [];
  if (!check.sections.includes(source)) faults.push(`unknown source ${JSON.stringify(source)}`);
  const [, document, section] = idPattern.exec(id) ?? [];
  if (document === undefined || section === undefined) faults.push('the id is not like wire-4-03');
  else if (source !== `${document}.md ${section}`) faults.push(`the id does not fit the source ${source}`);
  if (says.trim().length < 10) faults.push('it does not say what is required');
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

function repeated(values: readonly string[]): readonly string[] {
  return [...new Set(values.filter((value, index) => values.indexOf(value) !== index))];
}
