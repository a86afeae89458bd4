import { execFileSync } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** How a disk is: `slow 5` makes each sync take 5 ms, `sync EIO` fails syncs alone, a bare code writes too. */
export type DiskState = 'sound' | 'EIO' | 'ENOSPC' | 'EROFS' | 'sync EIO' | `slow ${number}`;

export interface FaultyDisk {
  /** For a process whose disk it is. */
  readonly environment: Readonly<Record<string, string>>;
  /** From the next write on. */
  become(state: DiskState): void;
}

/**
 * Makes a disk that fails on command for `helper.db` and its log, in `folder`. Undefined where that cannot be compiled: it
 * takes Linux with a C compiler.
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
    // In one step: the disk never reads half a word.
    writeFileSync(`${state}.next`, next);
    renameSync(`${state}.next`, state);
  };
  become('sound');
  return { environment: { LD_PRELOAD: library, FAULTY_DISK: state }, become };
}
