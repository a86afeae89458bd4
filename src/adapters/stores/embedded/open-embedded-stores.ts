import { migrations } from '../sql/migrations.ts';
import { SqlBudgetStore } from '../sql/sql-budget-store.ts';
import { SqlConfirmationJournal } from '../sql/sql-confirmation-journal.ts';
import { SqlMemoryStore } from '../sql/sql-memory-store.ts';
import { SqlConversationStore } from '../sql/sql-conversation-store.ts';
import { SqlErasureStore } from '../sql/sql-erasure-store.ts';
import { SqlMetricsStore } from '../sql/sql-metrics-store.ts';
import { SqlSuspendedTurnStore } from '../sql/sql-suspended-turn-store.ts';
import { SqlTaskStore } from '../sql/sql-task-store.ts';
import { SqlTurnStore } from '../sql/sql-turn-store.ts';
import type { StorageObserver } from '../storage-observer.ts';
import type { Stores } from '../stores.ts';
import { openEmbeddedDatabase } from './open-embedded-database.ts';

/**
 * The stores in the SQLite file of `folder` (contract/restarts.md).
 * @throws Error that says what to do when the folder or the file cannot be used.
 */
export async function openEmbeddedStores(folder: string, observer: StorageObserver): Promise<Stores> {
  const database = await openEmbeddedDatabase(folder, migrations, observer);
  const memory = new SqlMemoryStore(database);
  return {
    journal: new SqlConfirmationJournal(database),
    suspendedTurns: new SqlSuspendedTurnStore(database),
    turns: new SqlTurnStore(database),
    metrics: new SqlMetricsStore(database),
    memory,
    factVectors: memory,
    conversations: new SqlConversationStore(database),
    erasures: new SqlErasureStore(database),
    budgets: new SqlBudgetStore(database),
    tasks: new SqlTaskStore(database),
    isWritable: remembered(() => database.probe()),
  };
}

/** How many milliseconds an answer counts. Probes of several load balancers share one write. */
const countsForMs = 1_000;

/** Milliseconds that an answer may take. All checks of `/readyz` together may take longer. */
const answersWithinMs = 1_500;

function remembered(probe: () => Promise<void>): () => Promise<boolean> {
  let last: { readonly at: number; readonly isWritable: Promise<boolean> } | undefined;
  return () => {
    const now = performance.now();
    if (last === undefined || now - last.at >= countsForMs) last = { at: now, isWritable: inTime(probe()) };
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
