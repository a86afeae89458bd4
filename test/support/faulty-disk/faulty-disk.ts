import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The state of a disk. `slow 5` makes each sync take 5 ms, `held` until the disk becomes something else; those of a `counted` one are
 * counted. `sync EIO` fails only syncs. A bare code fails writes too.
 */
export type DiskState = 'sound' | 'held' | 'counted' | 'EIO' | 'ENOSPC' | 'EROFS' | 'sync EIO' | `slow ${number}`;

export interface FaultyDisk {
  /** The environment variables for a process on this disk. */
  readonly environment: Readonly<Record<string, string>>;
  /** How many syncs were counted. */
  syncs(): number;
  /** Changes the state from the next write on. */
  become(state: DiskState): void;
}

/**
 * Makes a disk that fails on command, for `helper.db` and its log in `folder`. Undefined where it cannot be compiled: it needs Linux with
 * a C compiler.
 */
export function makeFaultyDisk(folder: string): FaultyDisk | undefined {
  const library = join(folder, 'faulty-disk.so');
  const source = join(import.meta.dirname, 'faulty-disk.c');
  try {
    execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl'], { stdio: 'pipe' });
  } catch {
    return undefined;
  }
  const state = join(folder, 'disk-state');
  const become = (next: DiskState): void => {
    // Renaming the file is one step, so the disk never reads an incomplete word.
    writeFileSync(`${state}.next`, next);
    renameSync(`${state}.next`, state);
  };
  become('sound');
  const counted = `${state}.syncs`;
  writeFileSync(counted, '');
  const syncs = (): number => readFileSync(counted, 'utf8').length;
  return { environment: { LD_PRELOAD: library, FAULTY_DISK: state }, syncs, become };
}
