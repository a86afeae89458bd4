import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { KitOutcome } from './suite.ts';

const file = join(import.meta.dirname, 'expected-failures.yml');

/**
 * The tests of the kit that this server does not pass, each with its reason.
 * @throws Error for a test without a reason.
 */
export function expectedFailures(): ReadonlyMap<string, string> {
  const listed: unknown = parse(readFileSync(file, 'utf8'));
  if (typeof listed !== 'object' || listed === null) throw new Error(`${file} must be a map of tests to reasons.`);
  const expected = Object.entries(listed).map(([test, reason]: [string, unknown]) => {
    if (typeof reason !== 'string' || reason.trim() === '') throw new Error(`${file}: ${test} needs a reason.`);
    return [test, reason] as const;
  });
  return new Map(expected);
}

/** What differs from the list: a sentence for each test that has not passed and is not listed, or is listed and has passed or is unknown. */
export function surprises(outcomes: readonly KitOutcome[], expected: ReadonlyMap<string, string>): readonly string[] {
  const passed = new Set(outcomes.filter(({ outcome }) => outcome === 'passed').map(({ test }) => test));
  const known = new Set(outcomes.map(({ test }) => test));
  const unexpected = outcomes
    .filter(({ test }) => !passed.has(test) && !expected.has(test))
    .map(({ test, outcome, reason }) => `${test} ${outcome === 'skipped' ? 'was skipped' : outcome}: ${reason}`);
  const stale = [...expected.keys()].filter((test) => passed.has(test) || !known.has(test));
  return [
    ...unexpected,
    ...stale.map((test) => `${test} is listed, and ${known.has(test) ? 'passes' : 'is no test of the kit'}`),
  ];
}
