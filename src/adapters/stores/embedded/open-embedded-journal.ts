import type { ConfirmationJournal } from '../../../core/ports/confirmation-journal.ts';
import { migrations } from '../sql/migrations.ts';
import { SqlConfirmationJournal } from '../sql/sql-confirmation-journal.ts';
import { openEmbeddedDatabase } from './open-embedded-database.ts';

/**
 * The confirmation journal in the SQLite file of `folder` (configuration.md 5).
 * @throws Error that says what to do when the folder or the file cannot be used.
 */
export async function openEmbeddedJournal(folder: string): Promise<ConfirmationJournal> {
  return new SqlConfirmationJournal(await openEmbeddedDatabase(folder, migrations));
}
