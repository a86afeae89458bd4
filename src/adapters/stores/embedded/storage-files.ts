import { join } from 'node:path';

/** The files of embedded storage in `storage.path`. */
export interface StorageFiles {
  readonly folder: string;
  readonly database: string;
  /** SQLite's write-ahead log, and the index of it that processes share. */
  readonly log: string;
  readonly logIndex: string;
  /** An empty file that is locked while a process uses the folder. */
  readonly lock: string;
  /** Names the process that uses the folder, or that used it last. */
  readonly owner: string;
}

/** The names of the files in `folder`. */
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
