import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { text } from '../read-values.ts';

/** The most bytes of a piece. In base64, a piece fits into one message of the bus, which then stores nothing. */
export const pieceBytes = 40 * 1024;

/** A body up to this size is sent together with its request. */
const mostWholeBytes = 24 * 1024;

/** The bytes in pieces of at most `pieceBytes`. */
export async function* inPieces(bytes: Buffer | Readable): AsyncIterable<Buffer> {
  const chunks: AsyncIterable<unknown> | readonly Buffer[] = Buffer.isBuffer(bytes) ? [bytes] : bytes;
  for await (const chunk of chunks) {
    if (!Buffer.isBuffer(chunk)) throw new TypeError('a body is read as bytes');
    for (let first = 0; first < chunk.length; first += pieceBytes) yield chunk.subarray(first, first + pieceBytes);
  }
}

/** The body, read completely, when it is known to be small; undefined for other bodies, and where there is none. */
export async function wholeBody(
  body: Buffer | Readable | undefined,
  headers: Pick<IncomingHttpHeaders, 'content-length' | 'transfer-encoding'>,
): Promise<Buffer | undefined> {
  if (body === undefined) return undefined;
  if (Buffer.isBuffer(body)) return body.length <= mostWholeBytes ? body : undefined;
  // Node has checked the header against the body.
  const isSmall =
    headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= mostWholeBytes;
  if (!isSmall) return undefined;
  const pieces: Buffer[] = [];
  for await (const piece of inPieces(body)) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** A piece as another replica is sent it. */
export function sentPiece(bytes: Buffer): string {
  return bytes.toString('base64');
}

/** A piece that another replica has sent. @throws ValueFault when it is none. */
export function readPiece(sent: unknown): Buffer {
  return Buffer.from(text(sent, 'piece'), 'base64');
}
