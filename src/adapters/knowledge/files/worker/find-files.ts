import { type Dirent, opendirSync, realpathSync, statSync } from 'node:fs';
import { extname, join, matchesGlob } from 'node:path';
import type { FileFault, PassedOver } from '../files-source.ts';
import type { FilesSourceSettings } from '../files-source-settings.ts';
import { kindOf, passedOverBecause } from '../reader/kinds.ts';
import { withSeparator } from '../reader/read-inside.ts';
import { FactFiles, isFactFile } from './fact-files.ts';

/** A document that was found in the folder. */
export interface FoundFile {
  /** Relative to the folder of the source. */
  readonly path: string;
  /** Changes when the document or one of the files of facts about it changes. */
  readonly stamp: string;
  readonly facts: readonly string[];
}

export interface FoundFiles {
  readonly files: readonly FoundFile[];
  readonly faults: readonly FileFault[];
  readonly passedOver: PassedOver;
}

/**
 * Documents behind the first `documents` are left out; one fault gives their number. A folder with more than `entries` is not read at all.
 */
export const findLimits = { documents: 20_000, entries: 200_000, depth: 32, faults: 1_000 } as const;

/** The most files that are passed over and named. The others are counted. */
const mostPassedOverNamed = 100;

/** A file that was changed less than this many milliseconds ago may change again within the same tick of the file system's clock. */
const unsettledMs = 50;

/** Entries that are looked at in one go. Searches wait meanwhile. */
const entriesAtOnce = 200;

type Chosen = Pick<FilesSourceSettings, 'path' | 'include' | 'exclude'>;

/**
 * All documents in a folder, by name. Names that begin with a dot are left out, and so are links that lead out of the folder.
 * @throws Error when the folder itself cannot be read, or holds too much.
 */
export async function findFiles(settings: Chosen, signal: AbortSignal): Promise<FoundFiles> {
  const search = new Search(settings);
  let looked = 0;
  for (const _entry of search.entries()) {
    looked += 1;
    if (looked % entriesAtOnce === 0) await nextMoment(signal);
  }
  return search.finish(signal);
}

/** Pauses, so that searches which have arrived meanwhile are answered. @throws the reason of the signal. */
export async function nextMoment(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  signal.throwIfAborted();
}

class Search {
  readonly #settings: Chosen;
  readonly #root: string;
  readonly #documents: string[] = [];
  readonly #facts = new FactFiles();
  readonly #faults: FileFault[] = [];
  readonly #passedOver: FileFault[] = [];
  #passedOverCount = 0;
  #entries = 0;

  constructor(settings: Chosen) {
    this.#settings = settings;
    this.#root = realpathSync(settings.path);
  }

  /** Each entry of the folder and the folders in it. */
  *entries(): Generator<string> {
    const folders = [''];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      const before = { documents: this.#documents.length, folders: folders.length };
      try {
        yield* this.#look(folder, folders);
      } catch (error) {
        if (folder === '' || codeOf(error) === 'unknown') throw error;
        // The part of the folder that was not listed may hold facts about the documents found so far, so these documents are dropped.
        this.#documents.length = before.documents;
        folders.length = before.folders;
        this.#fault(folder, `cannot be read (${codeOf(error)})`);
      }
    }
  }

  *#look(folder: string, folders: string[]): Generator<string> {
    for (const entry of this.#entriesOf(folder)) {
      this.#entries += 1;
      // Entries that were not looked at may hold facts about the documents, so no document can be taken.
      if (this.#entries > findLimits.entries) {
        throw new Error(`the folder holds more than ${findLimits.entries.toLocaleString('en')} entries`);
      }
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (this.#take(path, entry) === 'folder') folders.push(path);
      yield path;
    }
  }

  async finish(signal: AbortSignal): Promise<FoundFiles> {
    const paths = this.#documents.sort();
    if (paths.length > findLimits.documents) {
      const limit = findLimits.documents.toLocaleString('en');
      this.#fault(
        '.',
        `holds ${paths.length.toLocaleString('en')} documents: those behind the first ${limit} are left out`,
      );
    }
    const files: FoundFile[] = [];
    for (const [index, path] of paths.slice(0, findLimits.documents).entries()) {
      if (index % entriesAtOnce === 0) await nextMoment(signal);
      const facts = this.#facts.about(path);
      if (this.#facts.isMissedBy(path)) {
        this.#fault(path, 'has a file of facts beside it whose name is nearly, but not exactly, its own');
        continue;
      }
      const stamp = [path, ...facts].map((file) => this.#stampOf(file)).join(' ');
      files.push({ path, stamp, facts });
    }
    for (const file of this.#facts.unused()) this.#fault(file, 'belongs to no document');
    // Files of a folder that was moved away meanwhile seem to be gone. They must not be removed from the index.
    if (realpathSync(this.#settings.path) !== this.#root) throw new Error('the folder was exchanged meanwhile');
    return { files, faults: this.#faults, passedOver: this.#allPassedOver() };
  }

  *#entriesOf(folder: string): Generator<Dirent> {
    const directory = opendirSync(join(this.#root, folder));
    try {
      for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) yield entry;
    } finally {
      directory.closeSync();
    }
  }

  #take(path: string, entry: Dirent): 'folder' | undefined {
    const isFacts = isFactFile(entry.name);
    if (entry.name.startsWith('.') && !isFacts) return undefined;
    if (isFacts) {
      // Even a faulty file of facts is kept. Without it, nobody would know that its documents are meant for certain readers.
      this.#facts.add(path);
      return undefined;
    }
    if (entry.isDirectory()) return this.#takeFolder(path);
    if (!this.#isChosen(path)) return undefined;
    // eslint-disable-next-line no-control-regex -- such a name would forge lines wherever names are listed
    if (/[\u0000-\u001f\u007f\ufffd]/.test(path))
      this.#fault(path, 'has a name with characters that names must not have');
    else if (entry.isSymbolicLink() && this.#isBadLink(path)) return undefined;
    else if (!entry.isFile() && !entry.isSymbolicLink()) this.#fault(path, 'is not a regular file');
    else this.#documents.push(path);
    return undefined;
  }

  #takeFolder(path: string): 'folder' | undefined {
    if (path.split('/').length <= findLimits.depth) return 'folder';
    this.#fault(path, `is nested deeper than ${String(findLimits.depth)} folders`);
    return undefined;
  }

  /**
   * Whether a link must not be followed; notes the fault. A link to a file of the same folder is allowed: a mounted configuration consists
   * of such links.
   */
  #isBadLink(path: string): boolean {
    let reason: string | undefined;
    try {
      const real = realpathSync(join(this.#root, path));
      if (!real.startsWith(withSeparator(this.#root))) reason = 'is a link out of the folder';
      else if (!statSync(real).isFile()) reason = 'is a link to something that is not a regular file';
    } catch (error) {
      reason = `is a link that leads nowhere (${codeOf(error)})`;
    }
    if (reason !== undefined) this.#fault(path, reason);
    return reason !== undefined;
  }

  /** Whether a file is to be read. One that the operator has chosen, but whose kind is not read, is passed over. */
  #isChosen(path: string): boolean {
    const { include, exclude } = this.#settings;
    if (exclude?.some((glob) => matchesGlob(path, glob)) === true) return false;
    if (include !== undefined && !include.some((glob) => matchesGlob(path, glob))) return false;
    const ending = extname(path);
    if (kindOf(ending) !== undefined) return true;
    this.#passedOverCount += 1;
    if (this.#passedOver.length < findLimits.faults) {
      // eslint-disable-next-line no-control-regex -- such a name would forge lines wherever names are listed
      const file = path.replace(/[\u0000-\u001f\u007f\u2028\u2029]/g, '?');
      this.#passedOver.push({ file, reason: passedOverBecause(ending) });
    }
    return false;
  }

  #allPassedOver(): PassedOver {
    const files = this.#passedOver.sort((one, other) => (one.file < other.file ? -1 : 1));
    return { count: this.#passedOverCount, files: files.slice(0, mostPassedOverNamed) };
  }

  /** Contains `?` for a file that must be looked at again in any case. */
  #stampOf(path: string): string {
    const stats = statSync(join(this.#root, path), { bigint: true, throwIfNoEntry: false });
    if (stats === undefined || Math.abs(Date.now() - Number(stats.ctimeMs)) < unsettledMs) return '?';
    return [stats.size, stats.mtimeNs, stats.ctimeNs, stats.ino].join(':');
  }

  #fault(file: string, reason: string): void {
    if (this.#faults.length < findLimits.faults) this.#faults.push({ file, reason });
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
