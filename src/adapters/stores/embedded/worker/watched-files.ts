import { type Stats, statSync } from 'node:fs';
import type { StorageFiles } from '../storage-files.ts';
import { StorageFault } from './fault-of.ts';

/**
 * Finds files that were deleted or replaced while they are open. Such a file still takes writes, but the next process finds none of them.
 * So before each commit the files under the names of the folder are compared with those that were opened.
 */
export class WatchedFiles {
  readonly #opened: readonly { readonly file: string; readonly stats: Stats }[];

  /** To be called when the database, its log and the lock are open. */
  constructor({ database, log, lock }: StorageFiles) {
    this.#opened = [database, log, lock].map((file) => ({ file, stats: statSync(file) }));
  }

  /** @throws StorageFault STORAGE_MOVED when a file is not the one that was opened. */
  check(): void {
    for (const { file, stats } of this.#opened) {
      const now = statSync(file, { throwIfNoEntry: false });
      if (now?.ino === stats.ino && now.dev === stats.dev) continue;
      const what = now === undefined ? 'was deleted' : 'was replaced by another file';
      throw new StorageFault('STORAGE_MOVED', `${file} ${what} while it was in use`);
    }
  }
}
