import type { SqlDatabase } from './sql-database.ts';

/** A database that can be asked whether it takes changes. */
export interface ProbedDatabase extends SqlDatabase {
  /** Writes something small. Rejects when nothing can be stored now. */
  probe(): Promise<void>;
}

/** How many milliseconds an answer counts. Probes of several load balancers share one write. */
const countsForMs = 1_000;

/** Milliseconds that an answer may take. All checks of `/readyz` together may take longer. */
const answersWithinMs = 1_500;

/** Whether something can be stored now (contract/operations.md#probes). The returned function never rejects. */
export function writableCheck(database: Pick<ProbedDatabase, 'probe'>): () => Promise<boolean> {
  let last: { readonly at: number; readonly isWritable: Promise<boolean> } | undefined;
  return () => {
    const now = performance.now();
    if (last === undefined || now - last.at >= countsForMs) last = { at: now, isWritable: inTime(database.probe()) };
    return last.isWritable;
  };
}

async function inTime(probe: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, answersWithinMs, false);
  });
  const isWritable = probe.then(
    () => true,
    () => false,
  );
  return Promise.race([isWritable, tooLate]).finally(() => {
    clearTimeout(timer);
  });
}
