import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** A key of `dataProtection`, and its name that is not secret. */
export interface BusKey {
  readonly id: string;
  readonly bytes: Buffer;
}

/** The first key signs, and all keys verify. */
export type BusKeys = readonly [BusKey, ...(readonly BusKey[])];

const format = 'hb1';

/**
 * Signs texts as `hb1.<key id>.<signature>.<text>`. The signature is HMAC-SHA-256 over the channel and the text, under keys of its own that
 * are derived from those of `dataProtection`. A text that was signed for one channel is not accepted on another one.
 */
export class MessageSeal {
  #signing: { readonly id: string; readonly key: Buffer };
  #keys: ReadonlyMap<string, Buffer>;
  #names: Buffer;

  constructor(keys: BusKeys) {
    const derived = derivedKeys(keys);
    this.#signing = derived.signing;
    this.#keys = derived.keys;
    this.#names = derived.names;
  }

  /** Uses other keys from now on. */
  useKeys(keys: BusKeys): void {
    const derived = derivedKeys(keys);
    this.#signing = derived.signing;
    this.#keys = derived.keys;
    this.#names = derived.names;
  }

  seal(channel: string, text: string): string {
    const { id, key } = this.#signing;
    return `${format}.${id}.${signature(key, channel, text).toString('base64url')}.${text}`;
  }

  /** The text, when it was signed with one of the keys for this channel. */
  open(channel: string, sealed: string): string | undefined {
    const [version, id = '', given = ''] = sealed.split('.', 3);
    const key = this.#keys.get(id);
    if (version !== format || key === undefined) return undefined;
    const text = sealed.slice(version.length + id.length + given.length + 3);
    const expected = signature(key, channel, text);
    const bytes = Buffer.from(given, 'base64url');
    return bytes.length === expected.length && timingSafeEqual(bytes, expected) ? text : undefined;
  }

  /** A name that does not tell what it stands for, the same on all replicas with the same first key. */
  nameOf(text: string): string {
    return createHmac('sha256', this.#names).update(text).digest('base64url');
  }
}

function derivedKeys(keys: BusKeys): {
  readonly signing: { readonly id: string; readonly key: Buffer };
  readonly keys: ReadonlyMap<string, Buffer>;
  readonly names: Buffer;
} {
  const all = new Map(keys.map(({ id, bytes }) => [id, derived(bytes, 'helper bus message')]));
  const [{ id, bytes }] = keys;
  return {
    signing: { id, key: derived(bytes, 'helper bus message') },
    keys: all,
    names: derived(bytes, 'helper bus name'),
  };
}

function derived(bytes: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', bytes, '', purpose, 32));
}

/** Neither channels nor key ids contain a line end, so the channel and the text cannot be confused. */
function signature(key: Buffer, channel: string, text: string): Buffer {
  return createHmac('sha256', key).update(`${channel}\n${text}`).digest();
}
