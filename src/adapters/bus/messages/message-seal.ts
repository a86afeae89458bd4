import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

/** A key of `dataProtection`, and its name that is not secret. */
export interface BusKey {
  readonly id: string;
  readonly bytes: Buffer;
}

/** The first key seals, and all keys open. */
export type BusKeys = readonly [BusKey, ...(readonly BusKey[])];

const format = 'hb2';
const tagLength = 16;
/** Bytes of the salt, and how many characters they are in base64url. */
const saltLength = 16;
const salted = /^[A-Za-z0-9_-]{22}$/u;
/** How many keys of other replicas are remembered. Each replica has one for each time it has started or changed its keys. */
const mostKnown = 1_024;

/**
 * Seals texts as `hb2.<key id>.<salt>.<number>.<sealed>` with AES-256-GCM, so that nobody without a key can read, write or change one. A text
 * that was sealed for one place (a channel, or the name under which it is stored) opens at no other. Each seal has a key of its own, derived
 * with a random salt from one of `dataProtection`. The number of a text under this key is its nonce, so no nonce comes twice.
 */
export class MessageSeal {
  #keys: BusKeys;
  #own: { readonly head: string; readonly key: KeyObject };
  #sealed = 0;
  /** The keys of others, by their ids and salts. Only what has opened a text is remembered: anybody can make up a salt. */
  readonly #known = new Map<string, KeyObject>();
  #names: KeyObject;

  constructor(keys: BusKeys) {
    this.#keys = keys;
    this.#own = newKey(keys);
    this.#names = nameKey(keys);
  }

  /** Uses other keys from now on. */
  useKeys(keys: BusKeys): void {
    this.#keys = keys;
    this.#own = newKey(keys);
    this.#names = nameKey(keys);
    this.#sealed = 0;
    this.#known.clear();
  }

  seal(place: string, text: string): string {
    const { head, key } = this.#own;
    const number = this.#sealed;
    this.#sealed += 1;
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number)).setAAD(Buffer.from(place));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${head}.${number.toString(36)}.${sealed.toString('base64')}`;
  }

  /** The text, when it was sealed with one of the keys for this place. */
  open(place: string, sealed: string): string | undefined {
    const [version, id = '', salt = '', number = '', body = ''] = sealed.split('.', 5);
    if (version !== format || !salted.test(salt)) return undefined;
    const name = `${id}.${salt}`;
    const known = this.#known.get(name);
    const key = known ?? this.#keyOf(id, salt);
    const text = key && opened({ key, number: Number.parseInt(number, 36), place }, Buffer.from(body, 'base64'));
    if (key !== undefined && known === undefined && text !== undefined) this.#remember(name, key);
    return text;
  }

  /** A name that does not tell what it stands for, the same on all replicas with the same first key. */
  nameOf(text: string): string {
    return createHmac('sha256', this.#names).update(text).digest('base64url');
  }

  #keyOf(id: string, salt: string): KeyObject | undefined {
    const key = this.#keys.find((each) => each.id === id);
    return key && derived(key.bytes, 'helper bus message', Buffer.from(salt, 'base64url'));
  }

  #remember(name: string, key: KeyObject): void {
    const [oldest] = this.#known.keys();
    if (this.#known.size >= mostKnown && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(name, key);
  }
}

function newKey([{ id, bytes }]: BusKeys): { readonly head: string; readonly key: KeyObject } {
  const salt = randomBytes(saltLength);
  return {
    head: `${format}.${id}.${salt.toString('base64url')}`,
    key: derived(bytes, 'helper bus message', salt),
  };
}

function nameKey([{ bytes }]: BusKeys): KeyObject {
  return derived(bytes, 'helper bus name', '');
}

/** A key object costs half of what a key in bytes costs at each use. */
function derived(bytes: Buffer, purpose: string, salt: Buffer | string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', bytes, salt, purpose, 32)));
}

/** Undefined when the text was sealed with another key, under another number or for another place, or was changed. */
function opened(
  { key, number, place }: { readonly key: KeyObject; readonly number: number; readonly place: string },
  body: Buffer,
): string | undefined {
  if (!(number >= 0 && number < 2 ** 48) || body.length < tagLength) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(number), { authTagLength: tagLength });
  decipher.setAAD(Buffer.from(place)).setAuthTag(body.subarray(-tagLength));
  try {
    return decipher.update(body.subarray(0, -tagLength), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return undefined;
  }
}

/** A replica sends fewer texts than 48 bits can count. */
function nonceOf(number: number): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(number, 6, 6);
  return nonce;
}
