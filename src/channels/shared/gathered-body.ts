import { Transform, type TransformCallback } from 'node:stream';

/** Bytes. Larger pieces are passed on as they are. */
const smallPiece = 1024;
const wholePiece = 16 * 1024;

/**
 * Passes a body on in pieces of some size. Who reads a body keeps its pieces until it is whole, and Node keeps some hundred bytes for each, so
 * a client that sends single bytes would make the server hold a hundred times what it has sent.
 */
export class GatheredBody extends Transform {
  #gathered: Buffer | undefined;
  #length = 0;

  override _transform(piece: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    if (piece.length > smallPiece || this.#length + piece.length > wholePiece) this.#pass();
    if (piece.length > smallPiece) {
      this.push(piece);
    } else {
      this.#gathered ??= Buffer.allocUnsafe(wholePiece);
      piece.copy(this.#gathered, this.#length);
      this.#length += piece.length;
    }
    done();
  }

  override _flush(done: TransformCallback): void {
    this.#pass();
    done();
  }

  #pass(): void {
    if (this.#gathered === undefined) return;
    this.push(this.#gathered.subarray(0, this.#length));
    this.#gathered = undefined;
    this.#length = 0;
  }
}
