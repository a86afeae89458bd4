import { join } from 'node:path';

/** The files of embedded storage in `storage.path`. */
export interface StorageFiles {
  readonly folder: string;
  readonly database: string;
  /** SQLite's write-ahead log, and the index of it that processes share. */
  readonly log: string;
  readonly logIndex: string;
  /** Locked while a process uses the folder; always empty. */
  readonly lock: string;
  /** Who uses the folder, or did last. */
  readonly owner: string;
}

/** Their names in `folder`. */
export function storageFiles(folder: string): StorageFiles {
  const database = join(folder, 'helper.db');
  return {
    folder,
    database,
    log: `${database}-wal`,
    logIndex: `${database}-shm`,
    lock: join(folder, 'helper.lock'),
    owner: join(folder, 'helper.owner'),
  };
}
