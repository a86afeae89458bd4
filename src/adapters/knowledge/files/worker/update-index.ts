import type { FilesSourceSettings } from '../files-source-settings.ts';
import type { ReadResult } from '../reader/messages.ts';
import { findFiles, type FoundFile, type FoundFiles, nextMoment } from './find-files.ts';
import type { FileChange, IndexWriter, KnownFile } from './index-writer.ts';
import type { ReaderProcess } from './reader-process.ts';

/** What an update needs. */
export interface UpdateParts {
  readonly settings: FilesSourceSettings;
  readonly writer: IndexWriter;
  readonly reader: ReaderProcess;
  /** The number of chunks that the index has now. */
  readonly countChunks: () => number;
  /** To be called after the index has changed. */
  readonly changed: () => void;
}

/** Chunks that are written at once. Searches wait meanwhile. */
const chunksAtOnce = 200;

/** When more than one tenth of an index has changed, the whole index is joined. */
const joinedFrom = 10;

/** The most chunks in one index. More chunks would make searches slow, and the index larger than memory. */
export const mostChunks = 200_000;

/**
 * Brings an index up to date with its folder. Returns what of the folder was not taken.
 * @throws Error when the folder cannot be read, no file can be read, or the index cannot be written. @throws the reason of the signal.
 */
export async function updateIndex(parts: UpdateParts, signal: AbortSignal): Promise<Omit<FoundFiles, 'files'>> {
  const { files, faults, passedOver } = await findFiles(parts.settings, signal);
  const known = parts.writer.known();
  const batch = new Batch(parts);
  const there = new Set(files.map(({ path }) => path));
  for (const path of known.keys()) if (!there.has(path)) batch.add({ kind: 'remove', path });
  batch.flush();
  const changed = files.filter(({ path, stamp }) => stamp.includes('?') || known.get(path)?.stamp !== stamp);
  await readFiles({ ...parts, files: changed, known, batch }, signal);
  batch.flush();
  if (batch.changed * joinedFrom > parts.countChunks()) parts.writer.joinAll();
  while (batch.changed > 0 && parts.writer.tidy()) await nextMoment(signal);
  return { faults, passedOver };
}

interface Reading extends UpdateParts {
  readonly files: readonly FoundFile[];
  readonly known: ReadonlyMap<string, KnownFile>;
  readonly batch: Batch;
}

/** One file is read while the one before it is written. */
async function readFiles({ settings, reader, files, known, batch }: Reading, signal: AbortSignal): Promise<void> {
  const begin = (file: FoundFile): Promise<ReadResult> => {
    const reading = reader.read({
      root: settings.path,
      file: file.path,
      facts: file.facts,
      knownHash: known.get(file.path)?.hash ?? '',
      language: settings.language ?? null,
    });
    // This promise is awaited one file later. It may reject before that, so its rejection is handled here.
    reading.catch(() => undefined);
    return reading;
  };
  const [first] = files;
  let reading = first === undefined ? undefined : begin(first);
  for (const [index, file] of files.entries()) {
    if (reading === undefined) return;
    const result = await reading;
    signal.throwIfAborted();
    const next = files[index + 1];
    reading = next === undefined ? undefined : begin(next);
    batch.add(changeOf(file, result, batch));
  }
}

function changeOf({ path, stamp }: FoundFile, result: ReadResult, batch: Batch): FileChange {
  if (result.kind === 'same') return { kind: 'touch', path, stamp };
  if (result.kind === 'left-out') {
    const { reason, hash, isCost } = result;
    return { kind: 'leave-out', path, stamp, hash, fault: reason, isCost };
  }
  const { hash, document } = result;
  if (batch.hasRoomFor(document.chunks.length)) return { kind: 'store', path, stamp, hash, document };
  const fault = `does not fit: the index holds at most ${mostChunks.toLocaleString('en')} parts of documents`;
  // Other documents may be gone at the next update, so this file is tried again then.
  return { kind: 'leave-out', path, stamp, hash: '', fault, isCost: true };
}

/** Changes that are written together. */
class Batch {
  readonly #parts: UpdateParts;
  #changes: FileChange[] = [];
  #chunks = 0;
  /** The number of chunks in the index. */
  #written: number;
  /** How much was written: each chunk counts, and so does each file without chunks. */
  changed = 0;

  constructor(parts: UpdateParts) {
    this.#parts = parts;
    this.#written = parts.countChunks();
  }

  hasRoomFor(chunks: number): boolean {
    return this.#written + this.#chunks + chunks <= mostChunks;
  }

  add(change: FileChange): void {
    this.#changes.push(change);
    this.#chunks += change.kind === 'store' ? change.document.chunks.length : 1;
    if (this.#chunks >= chunksAtOnce) this.flush();
  }

  flush(): void {
    if (this.#changes.length === 0) return;
    this.#parts.writer.write(this.#changes);
    this.changed += this.#chunks;
    this.#changes = [];
    this.#chunks = 0;
    this.#written = this.#parts.countChunks();
    this.#parts.changed();
  }
}
