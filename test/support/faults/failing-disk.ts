import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';

const source = join(import.meta.dirname, 'failing-disk.c');

/** The fields of the control block, in the order of failing-disk.c: one 32-bit number each. */
const fields = [
  'writeError',
  'syncError',
  'openError',
  'failsAfter',
  'syncMs',
  'killAfter',
  'killsLate',
  'operations',
] as const;
type Field = (typeof fields)[number];

/** How the disk fails: all writes are refused, or only the syncs that make them last. */
export const diskErrors = ['ENOSPC', 'EROFS', 'EIO', 'EIO of syncs'] as const;
export type DiskError = (typeof diskErrors)[number];

const { ENOSPC, EIO } = constants.errno;
/** Node's list has no EROFS; this is Linux's number. */
const EROFS = 30;

let library: string | undefined;

/** Builds the library once in each process. The library is removed when the process ends. */
function builtLibrary(): string {
  if (library !== undefined) return library;
  const folder = mkdtempSync(join(tmpdir(), 'helper-failing-disk-'));
  process.once('exit', () => {
    rmSync(folder, { recursive: true, force: true });
  });
  library = join(folder, 'failing-disk.so');
  execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return library;
}

/**
 * A disk under one folder that fails on command. Processes that are started with `environment` see it. It can make operations fail, slow
 * syncs down, and kill the process at an exact operation. An operation is a write, a sync, a truncation or a renaming of a file in the
 * folder.
 */
export class FailingDisk {
  /** What a process needs to see this disk. */
  readonly environment: Readonly<Record<string, string>>;
  readonly #control: number;

  constructor(folder: string, controlFile: string) {
    writeFileSync(controlFile, Buffer.alloc(4 * fields.length));
    this.#control = openSync(controlFile, 'r+');
    this.environment = {
      LD_PRELOAD: builtLibrary(),
      FAILING_DISK_CONTROL: controlFile,
      FAILING_DISK_FOLDER: folder,
    };
  }

  /** Makes the disk work from now on. `syncMs` is the time in milliseconds that is added to each sync. */
  heal(syncMs = 0): void {
    for (const field of fields) if (field !== 'operations') this.#set(field, 0);
    this.#set('syncMs', syncMs);
  }

  /** Makes the disk fail after `after` more operations have succeeded. */
  fail(error: DiskError, after = 0): void {
    this.#set('failsAfter', after);
    if (error === 'EROFS') this.#set('openError', EROFS);
    if (error === 'EIO of syncs') this.#set('syncError', EIO);
    else this.#set('writeError', { ENOSPC, EROFS, EIO }[error]);
  }

  /** Kills the process before or after an operation. The next operation has the number 1. */
  killAt(operation: number, when: 'before' | 'after'): void {
    this.#set('killsLate', when === 'after' ? 1 : 0);
    this.#set('killAfter', this.operations + operation);
  }

  /** The number of operations of all processes so far. */
  get operations(): number {
    const bytes = Buffer.alloc(4);
    readSync(this.#control, bytes, 0, 4, 4 * fields.indexOf('operations'));
    return bytes.readInt32LE();
  }

  close(): void {
    closeSync(this.#control);
  }

  #set(field: Field, value: number): void {
    const bytes = Buffer.alloc(4);
    bytes.writeInt32LE(value);
    writeSync(this.#control, bytes, 0, 4, 4 * fields.indexOf(field));
  }
}
