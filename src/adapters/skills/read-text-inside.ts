import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { LeftOut } from './skill-limits.ts';

/**
 * Reads the text of a regular file whose real path, after all links, is in `folder`.
 * @throws LeftOut when it is outside, is no file, is larger than `mostBytes` or is no text. @throws Error of the operating system.
 */
export async function readTextInside(folder: string, file: string, mostBytes: number): Promise<string> {
  const real = await realpath(join(folder, file));
  if (!isInside(real, await realpath(folder))) throw new LeftOut('is a link out of its folder');
  // Opening a pipe would wait for its writer. The file may also have been replaced by a link since its path was checked.
  const handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!(await handle.stat()).isFile()) throw new LeftOut('is not a regular file');
    return textOf(await readAll(handle, mostBytes));
  } finally {
    await handle.close();
  }
}

/** Whether a path is below a folder. Both must be real paths. */
export function isInside(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

/** Reads to the end of the file, because its size may have changed or may be unknown. */
async function readAll(handle: FileHandle, mostBytes: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(mostBytes + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, null);
    length += bytesRead;
    if (length > mostBytes) throw new LeftOut(`is larger than ${String(mostBytes / 1024)} KiB`);
    if (bytesRead === 0) return buffer.subarray(0, length);
  }
}

function textOf(bytes: Buffer): string {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new LeftOut('is not text in UTF-8');
  }
  if (text.includes('\0')) throw new LeftOut('is not text');
  return text.replaceAll('\r\n', '\n');
}
