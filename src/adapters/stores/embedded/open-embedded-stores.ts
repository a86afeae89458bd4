import { migrations } from '../sql/migrations.ts';
import { SqlConfirmationJournal } from '../sql/sql-confirmation-journal.ts';
import { SqlSuspendedTurnStore } from '../sql/sql-suspended-turn-store.ts';
import { SqlTurnStore } from '../sql/sql-turn-store.ts';
import type { Stores } from '../stores.ts';
import { openEmbeddedDatabase } from './open-embedded-database.ts';

/**
 * The stores in the SQLite file of `folder` (configuration.md 5).
 * @throws Error that says what to do when the folder or the file cannot be used.
 */
export async function openEmbeddedStores(folder: string): Promise<Stores> {
  const database = await openEmbeddedDatabase(folder, migrations);
  return {
    journal: new SqlConfirmationJournal(database),
    suspendedTurns: new SqlSuspendedTurnStore(database),
    turns: new SqlTurnStore(database),
  };
}
