import { HubProtocolError } from '../hub-errors.ts';
import { GrowingBlock } from './growing-block.ts';
import { type MessageReader, MessageTooLarge } from './message-reader.ts';

/** A length takes five bytes at most, of seven bits each. */
const maxLengthBits = 35;

/** Cuts incoming bytes into messages (MessagePack). The length of each message precedes it, as an integer of variable length. */
export class LengthPrefixedBuffer implements MessageReader {
  readonly #maxBytes: number;
  readonly #block = new GrowingBlock();
  #length = 0;
  #lengthBits = 0;
  /** Bytes of the message still to come; undefined while its length is read. */
  #missing: number | undefined;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get held(): number {
    return this.#block.length;
  }

  *take(chunk: Buffer): Generator<Buffer> {
    let at = 0;
    while (at < chunk.length) {
      if (this.#missing === undefined) {
        this.#readLength(chunk.readUInt8(at));
        at += 1;
      }
      if (this.#missing === undefined) continue;
      const part = chunk.subarray(at, at + this.#missing);
      at += part.length;
      this.#missing -= part.length;
      if (this.#missing > 0) {
        this.#block.append(part);
      } else {
        this.#missing = undefined;
        yield this.#block.complete(part);
      }
    }
  }

  #readLength(byte: number): void {
    this.#length += (byte & 0x7f) * 2 ** this.#lengthBits;
    this.#lengthBits += 7;
    if (this.#length > this.#maxBytes) throw new MessageTooLarge();
    const isLast = byte < 0x80;
    if (!isLast && this.#lengthBits >= maxLengthBits) throw new HubProtocolError('The length of a message is invalid.');
    if (!isLast) return;
    this.#missing = this.#length;
    this.#length = 0;
    this.#lengthBits = 0;
  }
}

/** A message with its length in front. */
export function withLength(message: Uint8Array): Buffer {
  const prefix: number[] = [];
  let length = message.length;
  for (; length >= 0x80; length = Math.floor(length / 0x80)) prefix.push((length % 0x80) | 0x80);
  prefix.push(length);
  return Buffer.concat([Uint8Array.from(prefix), message]);
}
