import type { Logger } from '../../../core/ports/logger.ts';
import type { FileMediaType, FileReading, MessageFile, MessageFileReader } from '../../../core/ports/message-file.ts';
import type { Kind } from './reader/kinds.ts';
import { ReaderProcess } from './worker/reader-process.ts';

/** What one file of a message may cost. Its user waits, so it is less than what a document may. */
const limits = { cpuMilliseconds: 10_000, milliseconds: 30_000 };
/** A file that is not read after as many milliseconds is given up. */
const patienceMs = 60_000;
/** Most files that wait in all. */
const mostWaiting = 200;
/** The process ends when there was nothing to read for as many milliseconds. It takes some 100 MiB of memory. */
const idleMs = 120_000;

const kinds: Readonly<Record<FileMediaType, Kind>> = {
  'application/pdf': 'pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'text/markdown': 'markdown',
  'text/csv': 'csv',
  'text/plain': 'text',
};

interface Waiting {
  readonly file: MessageFile;
  readonly done: (reading: FileReading) => void;
}

/**
 * Reads the files of messages in the same kind of process as documents (`ReaderProcess`), one after the other. Callers take turns, so nobody
 * waits for all the files of somebody else.
 */
export class MessageFiles implements MessageFileReader {
  readonly #reader = new ReaderProcess({ limits, isUrgent: true });
  readonly #log: Logger;
  /** The caller whose turn is next comes first. */
  readonly #waiting = new Map<string, Waiting[]>();
  #count = 0;
  #isReading = false;
  #isClosed = false;
  #idle: NodeJS.Timeout | undefined;

  constructor(log: Logger) {
    this.#log = log;
  }

  read(
    file: MessageFile,
    { caller, signal }: { readonly caller: string; readonly signal: AbortSignal },
  ): Promise<FileReading> {
    if (signal.aborted) return Promise.reject(reasonOf(signal));
    if (this.#isClosed || !this.#hasRoomFor(caller)) return Promise.resolve({ unreadable: 'busy' });
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
        this.#remove(caller, waiting);
      };
      const waiting: Waiting = {
        file,
        done: (reading) => {
          end();
          resolve(reading);
        },
      };
      const stop = (): void => {
        end();
        reject(reasonOf(signal));
      };
      const timer = setTimeout(() => {
        waiting.done({ unreadable: 'busy' });
      }, patienceMs);
      signal.addEventListener('abort', stop, { once: true });
      this.#waiting.set(caller, [...(this.#waiting.get(caller) ?? []), waiting]);
      this.#count += 1;
      void this.#work();
    });
  }

  /** Ends the process. Files that wait are given up. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    this.#isClosed = true;
    for (const waiting of [...this.#waiting.values()].flat()) waiting.done({ unreadable: 'busy' });
    await this.#reader.end();
  }

  /** Where no room is left, whoever has the most files that wait gives up the newest of them for a caller with fewer. */
  #hasRoomFor(caller: string): boolean {
    if (this.#count < mostWaiting) return true;
    const own = this.#waiting.get(caller)?.length ?? 0;
    const most = [...this.#waiting.values()].reduce((one, other) => (other.length > one.length ? other : one));
    if (own + 1 >= most.length) return false;
    most.at(-1)?.done({ unreadable: 'busy' });
    return true;
  }

  #remove(caller: string, waiting: Waiting): void {
    const before = this.#waiting.get(caller);
    if (before?.includes(waiting) !== true) return;
    const left = before.filter((other) => other !== waiting);
    this.#count -= 1;
    if (left.length === 0) this.#waiting.delete(caller);
    else this.#waiting.set(caller, left);
  }

  async #work(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    clearTimeout(this.#idle);
    for (let next = this.#next(); next !== undefined; next = this.#next()) next.done(await this.#readNow(next.file));
    this.#isReading = false;
    if (this.#isClosed) return;
    this.#idle = setTimeout(() => void this.#reader.end(), idleMs).unref();
  }

  /** The first file of the caller whose turn it is. The caller's other files go behind those of all others. */
  #next(): Waiting | undefined {
    const [caller, files] = this.#waiting.entries().next().value ?? [];
    const first = files?.[0];
    if (caller === undefined || first === undefined) return undefined;
    this.#remove(caller, first);
    const left = this.#waiting.get(caller);
    this.#waiting.delete(caller);
    if (left !== undefined) this.#waiting.set(caller, left);
    return first;
  }

  async #readNow({ mediaType, data }: MessageFile): Promise<FileReading> {
    try {
      const read = await this.#reader.readText({ kind: kinds[mediaType], data });
      return read.kind === 'text' ? { text: read.text } : { unreadable: read.why };
    } catch (error) {
      if (!this.#isClosed) this.#log.error({ error }, 'files of messages cannot be read');
      return { unreadable: 'busy' };
    }
  }
}

function reasonOf({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error('the turn was stopped');
}
