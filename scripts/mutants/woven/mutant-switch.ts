/** Copied into the checkout that is measured, where every mutant asks `isOn`. It may run in workers and processes that tests start. */
import { appendFileSync } from 'node:fs';

/** How often a mutant is asked before it counts as a loop without an end. No test asks for one nearly so often. */
const mostAnswers = 5_000_000;

const active = Number(process.env['HELPER_MUTANT'] ?? 0);
const reachedFile = process.env['HELPER_MUTANTS_REACHED'];

let answers = 0;
let testFile: string | undefined;
let reached = new Set<number>();

/**
 * Whether the mutant of this number is the one that is played.
 * @throws Error in a loop that the mutant keeps from its end.
 */
export function isOn(id: number): boolean {
  if (id === active) {
    answers += 1;
    if (answers > mostAnswers) throw new Error(`mutant ${String(id)} goes round and round`);
    return true;
  }
  if (reachedFile !== undefined) remember(id, reachedFile);
  return false;
}

function remember(id: number, file: string): void {
  const current = process.env['HELPER_MUTANTS_TEST'];
  if (current !== testFile) {
    testFile = current;
    reached = new Set();
  }
  if (reached.has(id)) return;
  reached.add(id);
  appendFileSync(file, `${String(id)}\t${current ?? ''}\n`);
}
