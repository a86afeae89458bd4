import { LeftOut, readLimits } from '../read-limits.ts';
import type { ReadableText } from '../section.ts';
import { readHtml } from './html.ts';

const mostEntries = 5_000;
const endBytes = 22;
const longestComment = 0xffff;
const entryBytes = 46;

/** Reads a Word document, section by section. Pictures are left out. Nothing outside the file is read. */
export async function readDocx(bytes: Buffer): Promise<ReadableText> {
  if (unpackedSize(bytes) > readLimits.unpackedBytes) {
    throw new LeftOut(`unpacks to more than ${String(readLimits.unpackedBytes / 1024 / 1024)} MiB`);
  }
  // The library is loaded only when there are Word documents.
  const { default: mammoth } = await import('mammoth');
  const { value } = await mammoth.convertToHtml(
    { buffer: bytes },
    {
      styleMap: ["p[style-name='Title'] => h1:fresh"],
      convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })),
      externalFileAccess: false,
    },
  );
  return readHtml(value);
}

/**
 * The size that all parts of a ZIP file have together when unpacked, according to the list at its end. Nothing is unpacked.
 * @throws LeftOut when the file is not a plain ZIP file.
 */
export function unpackedSize(bytes: Buffer): number {
  const end = endOf(bytes);
  const count = bytes.readUInt16LE(end + 10);
  let at = bytes.readUInt32LE(end + 16);
  if (count > mostEntries) throw new LeftOut(`has more than ${String(mostEntries)} parts`);
  let total = 0;
  for (let entry = 0; entry < count; entry += 1) {
    if (at + entryBytes > bytes.length || bytes.readUInt32LE(at) !== 0x02014b50) throw notZip();
    total += bytes.readUInt32LE(at + 24);
    at += entryBytes + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return total;
}

function endOf(bytes: Buffer): number {
  const first = Math.max(0, bytes.length - endBytes - longestComment);
  for (let at = bytes.length - endBytes; at >= first; at -= 1) if (bytes.readUInt32LE(at) === 0x06054b50) return at;
  throw notZip();
}

function notZip(): LeftOut {
  return new LeftOut('is not a valid Word document');
}
