import type { Stores } from '../stores.ts';
import type { Holder } from './holder.ts';
import { type ProbedDatabase, writableCheck } from './probed-database.ts';
import { probeQuestion } from './question-probe.ts';
import { SqlBudgetStore } from './sql-budget-store.ts';
import { SqlConfirmationJournal } from './sql-confirmation-journal.ts';
import { SqlConversationStore } from './sql-conversation-store.ts';
import { SqlDeliveryStore } from './sql-delivery-store.ts';
import { SqlErasureStore } from './sql-erasure-store.ts';
import { SqlMemoryStore } from './sql-memory-store.ts';
import { SqlMetricsStore } from './sql-metrics-store.ts';
import { SqlSuspendedTurnStore } from './sql-suspended-turn-store.ts';
import { SqlTaskStore } from './sql-task-store.ts';
import { SqlTurnStore } from './sql-turn-store.ts';

/**
 * The stores in a relational database whose schema is that of `migrations`. Closing the journal closes the database. `holder`: this server,
 * where others use the database at the same time.
 */
export function storesOn(database: ProbedDatabase, holder?: Holder): Stores {
  const memory = new SqlMemoryStore(database, holder);
  return {
    journal: new SqlConfirmationJournal(database, holder),
    suspendedTurns: new SqlSuspendedTurnStore(database),
    turns: new SqlTurnStore(database, holder),
    deliveries: new SqlDeliveryStore(database, holder),
    metrics: new SqlMetricsStore(database, holder),
    memory,
    factVectors: memory,
    conversations: new SqlConversationStore(database),
    erasures: new SqlErasureStore(database),
    budgets: new SqlBudgetStore(database, holder),
    tasks: new SqlTaskStore(database, holder),
    isWritable: writableCheck({ probe: () => probeQuestion(database) }),
  };
}
