import { Worker } from 'node:worker_threads';
import { StorageFailed } from '../../storage-failed.ts';
import type { BackupNote, WorkerStart } from '../messages.ts';
import { firstMessage, storageProgram } from '../storage-thread.ts';
import { removeDatabase } from './remove-database.ts';

/**
 * Writes the database in `folder`, as it is at one moment, and `note` to the file `target`, which must not exist. A thread of its own does
 * this, so that neither this thread nor the writer waits. When it fails, nothing is left at `target`.
 * @throws StorageFailed with what SQLite or the operating system says.
 */
export async function backUpStorage(folder: string, target: string, note: BackupNote): Promise<void> {
  const start: WorkerStart = { role: 'backup', folder, migrations: [], checkLog: false, backup: { target, note } };
  try {
    const answer = await firstMessage(new Worker(storageProgram(), { workerData: start, execArgv: [] }));
    if (answer.kind === 'unusable') throw new StorageFailed(answer.fault.code, answer.fault.reason);
  } catch (error) {
    await removeDatabase(target);
    throw error;
  }
}
