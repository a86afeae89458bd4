import { unwatchFile, watchFile } from 'node:fs';
import type { Resource } from '../open-resources.ts';

/** Milliseconds. It is less than half of the promised 5 s, which leaves time for a slow disk and the reading. */
const lookEveryMs = 2000;

/**
 * Looks at intervals whether a path leads to another file. It looks by path, because a mounted file is replaced by changing a link. It does
 * not keep the process running.
 */
export class WatchedFile implements Resource {
  readonly name: string;
  readonly #file: string;
  readonly #changed: () => void;

  constructor(name: string, file: string, changed: () => void) {
    this.name = name;
    this.#file = file;
    this.#changed = () => {
      changed();
    };
    watchFile(file, { interval: lookEveryMs, persistent: false }, this.#changed);
  }

  close(): Promise<void> {
    unwatchFile(this.#file, this.#changed);
    return Promise.resolve();
  }
}

/**
 * Looks once more, a moment after the watch has begun. The watch reports only changes after its own first look, so it misses a change
 * between the reading of the file at the start and that look. `look` MUST compare contents.
 */
export class LookAgain implements Resource {
  readonly name: string;
  readonly #timer: NodeJS.Timeout;

  constructor(name: string, look: () => void) {
    this.name = name;
    this.#timer = setTimeout(look, lookEveryMs).unref();
  }

  close(): Promise<void> {
    clearTimeout(this.#timer);
    return Promise.resolve();
  }
}
