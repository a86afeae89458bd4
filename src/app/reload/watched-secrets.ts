import type { Resource } from '../open-resources.ts';
import { WatchedFile } from './watched-file.ts';

/** Looks at intervals whether a file that `${file:…}` names has changed (contract/operations.md#secrets). */
export class WatchedSecrets implements Resource {
  readonly name = 'secrets';
  readonly #changed: () => void;
  readonly #watched = new Map<string, WatchedFile>();
  #closed = false;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** From now on watches these files only. */
  follow(files: readonly string[]): void {
    if (this.#closed) return;
    for (const [file, watched] of this.#watched) {
      if (files.includes(file)) continue;
      void watched.close();
      this.#watched.delete(file);
    }
    for (const file of files) {
      if (!this.#watched.has(file)) this.#watched.set(file, new WatchedFile('secret', file, this.#changed));
    }
  }

  close(): Promise<void> {
    this.follow([]);
    this.#closed = true;
    return Promise.resolve();
  }
}
