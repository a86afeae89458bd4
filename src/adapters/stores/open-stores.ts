import type { ConfirmationJournal } from '../../core/ports/confirmation-journal.ts';
import type { SuspendedTurnStore } from '../../core/ports/suspended-turn-store.ts';
import { InMemoryConfirmationJournal } from './in-memory/in-memory-confirmation-journal.ts';
import { InMemorySuspendedTurnStore } from './in-memory/in-memory-suspended-turn-store.ts';

/** `storage` of the configuration (configuration.md 5). `path` is a folder. */
export type StorageOptions = { readonly type: 'embedded'; readonly path: string } | { readonly type: 'memory' };

/** What the server keeps. Closing the journal closes the database behind both. */
export interface Stores {
  readonly journal: ConfirmationJournal;
  readonly suspendedTurns: SuspendedTurnStore;
}

/**
 * Opens what `storage` asks for. SQLite is loaded only when it is used, so that a server without storage starts without it.
 * @throws Error that says what to do when the folder or the file cannot be used.
 */
export async function openStores(storage: StorageOptions): Promise<Stores> {
  if (storage.type === 'memory') {
    return { journal: new InMemoryConfirmationJournal(), suspendedTurns: new InMemorySuspendedTurnStore() };
  }
  const { openEmbeddedStores } = await import('./embedded/open-embedded-stores.ts');
  return openEmbeddedStores(storage.path);
}
