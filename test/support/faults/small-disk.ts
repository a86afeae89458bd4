import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** A file system of 6 MiB in memory, mounted over a folder, which can really be full. Mounting needs root. */
export class SmallDisk {
  readonly #folder: string;
  readonly #filler: string;

  private constructor(folder: string) {
    this.#folder = folder;
    this.#filler = join(folder, 'filler');
  }

  /** Undefined where it cannot be mounted. */
  static mount(folder: string): SmallDisk | undefined {
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=6m,mode=700', 'tmpfs', folder], { stdio: 'ignore' });
      return new SmallDisk(folder);
    } catch {
      return undefined;
    }
  }

  /** Fills the disk completely. */
  fill(): void {
    const file = openSync(this.#filler, 'a');
    try {
      for (let size = 65_536; size >= 1; size = Math.floor(size / 2)) this.#fillWith(file, Buffer.alloc(size));
    } finally {
      closeSync(file);
    }
  }

  /** Frees the space again. */
  empty(): void {
    rmSync(this.#filler, { force: true });
  }

  async unmount(): Promise<void> {
    execFileSync('umount', ['-l', this.#folder], { stdio: 'ignore' });
  }

  #fillWith(file: number, bytes: Buffer): void {
    try {
      for (;;) if (writeSync(file, bytes) < bytes.length) return;
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error) || error.code !== 'ENOSPC') throw error;
    }
  }
}
