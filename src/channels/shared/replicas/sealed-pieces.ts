import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** A key of `dataProtection`, and its name that is not secret. */
export interface SealingKey {
  readonly id: string;
  readonly bytes: Uint8Array;
}

/** The first key seals, and all of them open. */
export type SealingKeys = readonly [SealingKey, ...(readonly SealingKey[])];

const format = 'hf1';
const saltLength = 32;
const tagLength = 16;

/** Makes pieces of one sequence unreadable for the carrier of the bus. */
export interface PieceSealer {
  /** The next piece of the sequence. */
  seal(bytes: Uint8Array): string;
}

/** Reads the pieces of one sequence, in their order. */
export interface PieceOpener {
  /** @throws Error when the piece is not the next one of its sequence, or its key is not known. */
  open(piece: string): Buffer;
}

/**
 * Begins a sequence of sealed pieces. The first one is `hf1.<key id>.<salt>.<sealed>`, later ones are `<sealed>`. Each sequence has an
 * AES-256-GCM key of its own, derived with the salt from a key of `dataProtection`, and the number of a piece is its nonce. `purpose` keeps
 * the sequences of requests and of answers apart.
 */
export function sealPieces([{ id, bytes }]: SealingKeys, purpose: string): PieceSealer {
  const salt = randomBytes(saltLength);
  const key = sequenceKey(bytes, salt, purpose);
  let number = 0;
  return {
    seal(piece) {
      const head = number === 0 ? `${format}.${id}.${salt.toString('base64url')}.` : '';
      const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number));
      number += 1;
      return head + Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()]).toString('base64');
    },
  };
}

/** Reads a sequence that `sealPieces` has begun for the same purpose with one of these keys. */
export function openPieces(keys: SealingKeys, purpose: string): PieceOpener {
  let key: Buffer | undefined;
  let number = 0;
  return {
    open(piece) {
      const [sealed, known] = key === undefined ? begun(piece, keys, purpose) : [piece, key];
      key = known;
      const body = Buffer.from(sealed, 'base64');
      if (body.length < tagLength) throw new Error('a piece of a forwarded request is too short');
      const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(number), { authTagLength: tagLength });
      decipher.setAuthTag(body.subarray(-tagLength));
      number += 1;
      return Buffer.concat([decipher.update(body.subarray(0, -tagLength)), decipher.final()]);
    },
  };
}

function begun(piece: string, keys: SealingKeys, purpose: string): readonly [sealed: string, key: Buffer] {
  const [version, keyId, salt = '', sealed = ''] = piece.split('.', 4);
  if (version !== format) throw new Error('a forwarded request is of another version of this server');
  const known = keys.find(({ id }) => id === keyId);
  if (known === undefined) throw new Error('a forwarded request was sealed with a key that is not known here');
  return [sealed, sequenceKey(known.bytes, Buffer.from(salt, 'base64url'), purpose)];
}

function sequenceKey(bytes: Uint8Array, salt: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', bytes, salt, `helper forwarded ${purpose}`, 32));
}

/** A sequence has fewer pieces than 48 bits can count. */
function nonceOf(number: number): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(number, 6, 6);
  return nonce;
}
