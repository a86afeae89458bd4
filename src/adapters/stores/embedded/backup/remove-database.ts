import { rm } from 'node:fs/promises';

/**
 * Deletes a database of SQLite with the journal that a killed process may have left beside it: SQLite would undo a later database of the
 * same name with that journal.
 */
export async function removeDatabase(file: string): Promise<void> {
  await rm(file, { force: true });
  await rm(`${file}-journal`, { force: true });
}
