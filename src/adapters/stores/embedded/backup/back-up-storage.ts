import { readFile, rm } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { keyFileOf } from '../../../snapshots/key-file.ts';
import { StorageFailed } from '../../storage-failed.ts';
import type { FromWorker, WorkerStart } from '../messages.ts';
import { storageProgram } from '../storage-thread.ts';

/**
 * Writes a backup of the storage in `folder` to `target`, which must not exist: the database as it is at one moment, and the
 * keys that are kept beside it (contract/operations.md#backup). A thread of its own does it, so that neither this thread nor the one who
 * writes waits. Nothing is left at `target` when it fails.
 * @throws StorageFailed with what SQLite or the operating system says.
 */
export async function backUpStorage(folder: string, target: string, now: number): Promise<void> {
  const keys = await readFile(keyFileOf(folder), 'utf8').catch(ifAbsent);
  const backup = { target, note: { madeAt: now, keys } };
  const start: WorkerStart = { role: 'backup', folder, migrations: [], checkLog: false, backup };
  try {
    const answer = await answerOf(new Worker(storageProgram(), { workerData: start, execArgv: [] }));
    if (answer.kind === 'unusable') throw new StorageFailed(answer.fault.code, answer.fault.reason);
  } catch (error) {
    await rm(target, { force: true });
    throw error;
  }
}

async function answerOf(worker: Worker): Promise<FromWorker> {
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new StorageFailed('', 'the thread that makes the backup ended')));
  });
}

function ifAbsent(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
  throw error;
}
