import { inflateRawSync } from 'node:zlib';
import { LeftOut, readLimits } from '../../read-limits.ts';

const mostEntries = 5_000;
const endBytes = 22;
const longestComment = 0xffff;
const entryBytes = 46;
const localBytes = 30;

interface Entry {
  readonly method: number;
  readonly packed: number;
  readonly size: number;
  readonly at: number;
  readonly isEncrypted: boolean;
}

/** The parts of a ZIP file. A part is unpacked when it is asked for, and never to more than the list of parts says. */
export class ZipFile {
  readonly #bytes: Buffer;
  readonly #entries: ReadonlyMap<string, Entry>;

  /**
   * Reads the list of the parts. `kind` completes "it is not a valid …".
   * @throws LeftOut when the file is no ZIP file, or its parts are too large or too many.
   */
  constructor(bytes: Buffer, kind: string) {
    this.#bytes = bytes;
    this.#entries = entriesOf(bytes, kind);
    let total = 0;
    for (const { size } of this.#entries.values()) total += size;
    if (total > readLimits.unpackedBytes) throw tooLarge();
  }

  get names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** Undefined: there is no such part. @throws LeftOut when the part is damaged, encrypted, or larger than it says. */
  read(name: string): Buffer | undefined {
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    if (entry.isEncrypted) throw new LeftOut('is protected by a password', { why: 'locked' });
    const packed = this.#packed(entry);
    if (packed === undefined || (entry.method !== 0 && entry.method !== 8)) throw new LeftOut('has a damaged part');
    if (entry.method === 0) return packed;
    try {
      return inflateRawSync(packed, { maxOutputLength: Math.max(1, entry.size) });
    } catch (error) {
      const isLarger = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
      throw new LeftOut(isLarger ? 'has a part that is larger than it says' : 'has a damaged part', { cause: error });
    }
  }

  #packed({ at, packed }: Entry): Buffer | undefined {
    const bytes = this.#bytes;
    if (at + localBytes > bytes.length || bytes.readUInt32LE(at) !== 0x04034b50) return undefined;
    const begin = at + localBytes + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
    return begin + packed > bytes.length ? undefined : bytes.subarray(begin, begin + packed);
  }
}

function entriesOf(bytes: Buffer, kind: string): ReadonlyMap<string, Entry> {
  const end = endOf(bytes, kind);
  const count = bytes.readUInt16LE(end + 10);
  let at = bytes.readUInt32LE(end + 16);
  if (count > mostEntries)
    throw new LeftOut(`has more than ${mostEntries.toLocaleString('en')} parts`, { why: 'costly' });
  const entries = new Map<string, Entry>();
  for (let index = 0; index < count; index += 1) {
    if (at + entryBytes > bytes.length || bytes.readUInt32LE(at) !== 0x02014b50) throw notValid(kind);
    const nameLength = bytes.readUInt16LE(at + 28);
    // Some programs write the separators of Windows.
    const name = bytes.toString('utf8', at + entryBytes, at + entryBytes + nameLength).replaceAll('\\', '/');
    entries.set(name, {
      isEncrypted: (bytes.readUInt16LE(at + 8) & 1) === 1,
      method: bytes.readUInt16LE(at + 10),
      packed: bytes.readUInt32LE(at + 20),
      size: bytes.readUInt32LE(at + 24),
      at: bytes.readUInt32LE(at + 42),
    });
    at += entryBytes + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries;
}

function endOf(bytes: Buffer, kind: string): number {
  // Office programs encrypt a whole document, and put it into a file of another kind.
  if (bytes.length >= 8 && bytes.readUInt32BE(0) === 0xd0cf11e0) {
    throw new LeftOut('is protected by a password, or of the kind of before 2007', { why: 'locked' });
  }
  const first = Math.max(0, bytes.length - endBytes - longestComment);
  for (let at = bytes.length - endBytes; at >= first; at -= 1) if (bytes.readUInt32LE(at) === 0x06054b50) return at;
  throw notValid(kind);
}

function notValid(kind: string): LeftOut {
  return new LeftOut(`is not a valid ${kind}`);
}

function tooLarge(): LeftOut {
  return new LeftOut(`unpacks to more than ${String(readLimits.unpackedBytes / 1024 / 1024)} MiB`, { why: 'costly' });
}
