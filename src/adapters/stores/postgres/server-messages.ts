/** How long a message may claim to be, in bytes: what PostgreSQL itself sends at most. */
const longest = 0x3fff_ffff;

/** The same for the kinds of messages that are always short. libpq, the library of PostgreSQL, has this limit too. */
const longestOfShort = 30_000;

/** The kinds of messages that pg knows, by their letter. */
const kinds = '123ACDEGHIKNRSTWZcdnst';

/** Those of them that can be long. */
const longKinds = 'ADENTd';

const headerLength = 5;
const zero = Buffer.of(0);

/**
 * Cuts what PostgreSQL sends into messages. Each message is whole and keeps to the protocol: the parser of pg takes any length for true, looks for
 * the end of a text without end, and throws at what it cannot read.
 */
export class ServerMessages {
  #kept: Buffer[] = [];
  #keptLength = 0;
  /** How many bytes the next step needs. */
  #needed = headerLength;

  /** Whether a message has begun whose rest is to come. */
  get isInside(): boolean {
    return this.#keptLength > 0;
  }

  /**
   * The messages that are whole now.
   * @throws Error at bytes that are no message.
   */
  *read(data: Buffer): Generator<Buffer> {
    this.#kept.push(data);
    this.#keptLength += data.length;
    if (this.#keptLength < this.#needed) return;
    let rest = this.#kept.length === 1 ? data : Buffer.concat(this.#kept);
    for (;;) {
      this.#needed = rest.length < headerLength ? headerLength : lengthOf(rest);
      if (rest.length < this.#needed) break;
      yield sound(rest.subarray(0, this.#needed));
      rest = rest.subarray(this.#needed);
    }
    this.#kept = rest.length === 0 ? [] : [rest];
    this.#keptLength = rest.length;
  }
}

/** The length of the message that begins here. */
function lengthOf(data: Buffer): number {
  const kind = kindOf(data);
  const length = data.readUInt32BE(1);
  const most = longKinds.includes(kind) ? longest : longestOfShort;
  if (!kinds.includes(kind) || length < 4 || length > most) throw noMessage();
  return length + 1;
}

function sound(message: Buffer): Buffer {
  const kind = kindOf(message);
  const isSound = kind === 'D' ? isRow(message) : (kind !== 'E' && kind !== 'N') || areFields(message);
  if (!isSound) throw noMessage();
  return message;
}

/** Whether the values of a row fill it. */
function isRow(message: Buffer): boolean {
  if (message.length < headerLength + 2) return false;
  let at = headerLength + 2;
  for (let values = message.readInt16BE(headerLength); values !== 0; values -= 1) {
    if (values < 0 || at + 4 > message.length) return false;
    const length = message.readInt32BE(at);
    if (length < -1) return false;
    at += 4 + Math.max(0, length);
  }
  return at === message.length;
}

/** Whether the texts of a fault or a notice end, and the list of them too. */
function areFields(message: Buffer): boolean {
  let at = headerLength;
  while (at < message.length && message[at] !== 0) {
    const end = message.indexOf(zero, at + 1);
    if (end < 0) return false;
    at = end + 1;
  }
  return at < message.length;
}

function kindOf(data: Buffer): string {
  return String.fromCodePoint(data[0] ?? 0);
}

function noMessage(): Error {
  return new Error('the database sent something that is no message of PostgreSQL');
}
