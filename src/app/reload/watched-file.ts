import { unwatchFile, watchFile } from 'node:fs';
import type { Resource } from '../open-resources.ts';

/** Less than half of the 5 s that are promised, so that a slow disk and the reading have the rest. */
const lookEveryMs = 2000;

/**
 * Looks again and again whether a file is another one. It is asked for by its path: a mounted file is replaced by changing a link.
 * It keeps no process alive.
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
 * Looks once more a moment after the watch has begun. The watch tells of changes after its own first look; what has changed since
 * the server read the file, while it started, nobody else would see. `look` MUST compare contents.
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
