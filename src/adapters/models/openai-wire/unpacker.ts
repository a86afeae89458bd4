import type { Transform } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';

/** What takes the pieces of an unpacked answer. */
interface Unpacked {
  data(chunk: Buffer): void;
  end(): void;
  error(error: Error): void;
}

/** Unpacks an answer that a server packs although nobody asked for it. Undefined for one that is not packed. */
export function unpackerTo(taker: Unpacked, encoding: string | undefined): Transform | undefined {
  const unpacker = unpackerOf(encoding);
  unpacker?.on('data', (chunk: Buffer) => {
    taker.data(chunk);
  });
  unpacker?.on('end', () => {
    taker.end();
  });
  unpacker?.on('error', (error: Error) => {
    taker.error(error);
  });
  return unpacker;
}

function unpackerOf(encoding: string | undefined): Transform | undefined {
  switch (encoding?.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
    case 'deflate':
      return createUnzip();
    case 'br':
      return createBrotliDecompress();
    default:
      return undefined;
  }
}
