import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { LeftOut } from './read-limits.ts';

/**
 * Reads a regular file whose real path, after all links, is in `root`.
 * @throws LeftOut when it is outside, is no file, or is larger than `mostBytes`. @throws Error of the operating system.
 */
export function readInside(root: string, file: string, mostBytes: number): Buffer {
  const real = realpathSync(join(root, file));
  if (!real.startsWith(withSeparator(realpathSync(root)))) throw new LeftOut('is a link out of the folder');
  // Opening a pipe would wait for its writer. The file may also have been replaced by a link since its path was checked.
  const descriptor = openSync(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new LeftOut('is not a regular file');
    if (stats.size > mostBytes) throw tooLarge(mostBytes);
    return readAll(descriptor, stats.size, mostBytes);
  } finally {
    closeSync(descriptor);
  }
}

/** The path of a folder with a separator at its end, as the paths of its files begin. */
export function withSeparator(folder: string): string {
  return folder.endsWith(sep) ? folder : `${folder}${sep}`;
}

/** @throws LeftOut when the file has grown since its size was read. */
function readAll(descriptor: number, size: number, mostBytes: number): Buffer {
  const buffer = Buffer.allocUnsafe(Math.min(size, mostBytes) + 1);
  let length = 0;
  for (;;) {
    const count = readSync(descriptor, buffer, length, buffer.length - length, null);
    length += count;
    if (count === 0) return buffer.subarray(0, length);
    if (length === buffer.length) throw new LeftOut('was changed while it was read');
  }
}

function tooLarge(mostBytes: number): LeftOut {
  const mebibytes = mostBytes / 1024 / 1024;
  return new LeftOut(
    `is larger than ${mebibytes >= 1 ? `${String(mebibytes)} MiB` : `${String(mostBytes / 1024)} KiB`}`,
  );
}
