import type { ConfirmationJournal } from '../../core/ports/confirmation-journal.ts';
import { InMemoryConfirmationJournal } from './in-memory/in-memory-confirmation-journal.ts';

/** `storage` of the configuration (configuration.md 5). `path` is a folder. */
export type StorageOptions = { readonly type: 'embedded'; readonly path: string } | { readonly type: 'memory' };

/**
 * Opens the confirmation journal that `storage` asks for. SQLite is loaded only when it is used, so that a server
 * without storage starts without it.
 * @throws Error that says what to do when the folder or the file cannot be used.
 */
export async function openConfirmationJournal(storage: StorageOptions): Promise<ConfirmationJournal> {
  if (storage.type === 'memory') return new InMemoryConfirmationJournal();
  const { openEmbeddedJournal } = await import('./embedded/open-embedded-journal.ts');
  return openEmbeddedJournal(storage.path);
}
