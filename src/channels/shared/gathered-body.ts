import { Transform, type TransformCallback } from 'node:stream';
import { GrowingBlock } from '../../core/base/growing-block.ts';

/** Bytes. Larger pieces are passed on as they are. */
const smallPiece = 1024;
const wholePiece = 16 * 1024;

/**
 * Passes a body on in pieces of some size. Who reads a body keeps its pieces until it is whole, and Node keeps some hundred bytes for each, so
 * a client that sends single bytes would make the server hold a hundred times what it has sent.
 */
export class GatheredBody extends Transform {
  readonly #small = new GrowingBlock();

  override _transform(piece: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    if (this.#small.length === 0 && piece.length > smallPiece) this.push(piece);
    else this.#small.append(piece);
    if (this.#small.length > wholePiece) this.push(this.#small.complete(nothing));
    done();
  }

  override _flush(done: TransformCallback): void {
    if (this.#small.length > 0) this.push(this.#small.complete(nothing));
    done();
  }
}

const nothing = Buffer.alloc(0);
