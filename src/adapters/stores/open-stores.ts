import { InMemoryBudgetStore } from './in-memory/in-memory-budget-store.ts';
import { InMemoryConfirmationJournal } from './in-memory/in-memory-confirmation-journal.ts';
import { InMemoryMemoryStore } from './in-memory/in-memory-memory-store.ts';
import { InMemoryConversationStore } from './in-memory/in-memory-conversation-store.ts';
import { InMemoryErasureStore } from './in-memory/in-memory-erasure-store.ts';
import { InMemoryMetricsStore } from './in-memory/in-memory-metrics-store.ts';
import { InMemoryTaskStore } from './in-memory/in-memory-task-store.ts';
import { InMemoryTurnStore } from './in-memory/in-memory-turn-store.ts';
import { noSuspendedTurns } from './in-memory/no-suspended-turns.ts';
import type { PostgresOptions } from './postgres/open-postgres-stores.ts';
import { type StorageObserver, unobserved } from './storage-observer.ts';
import type { Stores } from './stores.ts';

/** `storage` of the configuration (contract/restarts.md). `path` is a folder. */
export type StorageOptions =
  | { readonly type: 'embedded'; readonly path: string }
  | { readonly type: 'memory' }
  | ({ readonly type: 'postgres' } & PostgresOptions);

/**
 * Opens what `storage` asks for. A database is loaded only when it is used, so that other servers start without it.
 * @throws Error that says what to do when the folder, the file or the database cannot be used.
 */
export async function openStores(storage: StorageOptions, observer: StorageObserver = unobserved): Promise<Stores> {
  if (storage.type === 'memory') {
    const turns = new InMemoryTurnStore();
    return {
      journal: new InMemoryConfirmationJournal(turns),
      suspendedTurns: noSuspendedTurns,
      turns,
      deliveries: turns.deliveries,
      metrics: new InMemoryMetricsStore(),
      memory: new InMemoryMemoryStore(),
      conversations: new InMemoryConversationStore(),
      erasures: new InMemoryErasureStore(),
      budgets: new InMemoryBudgetStore(),
      tasks: new InMemoryTaskStore(),
      isWritable: () => Promise.resolve(true),
    };
  }
  if (storage.type === 'postgres') {
    const { openPostgresStores } = await import('./postgres/open-postgres-stores.ts');
    return openPostgresStores(storage, observer);
  }
  const { openEmbeddedStores } = await import('./embedded/open-embedded-stores.ts');
  return openEmbeddedStores(storage.path, observer);
}
