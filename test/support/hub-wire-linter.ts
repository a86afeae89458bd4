import { decode } from '@msgpack/msgpack';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Checks every frame of a hub against the rules on which official clients depend (contract/hub.md#protocol). Where the JavaScript client
 * forgives, .NET and Java clients drop the message or disconnect. The faults are collected, so that a test can name all of them.
 */
export class HubWireLinter {
  readonly faults: string[] = [];
  #handshake: 'awaited' | 'accepted' | 'over' = 'awaited';

  readonly #protocol: 'json' | 'messagepack';

  constructor(protocol: 'json' | 'messagepack' = 'json') {
    this.#protocol = protocol;
  }

  /** Checks one frame, or the answer to one poll, as the client received it. */
  check(data: Buffer, isBinary: boolean): readonly Fields[] {
    return this.#protocol === 'json' ? this.#checkText(data, isBinary) : this.#checkBinary(data, isBinary);
  }

  #checkBinary(data: Buffer, isBinary: boolean): readonly Fields[] {
    if (!isBinary) this.#fault('a MessagePack frame is text', data.toString());
    // The handshake is JSON. A socket of stateful reconnect begins without one.
    const isHandshake = this.#handshake === 'awaited' && data[0] === 0x7b;
    const end = isHandshake ? data.indexOf(0x1e) + 1 : 0;
    const answer = isHandshake ? this.#checkText(data.subarray(0, end), false) : [];
    return [...answer, ...this.#messagePackRecords(data.subarray(end))];
  }

  #messagePackRecords(data: Buffer): readonly Fields[] {
    const records: Fields[] = [];
    let rest = data;
    while (rest.length > 0) {
      const { length, start } = readLength(rest);
      if (start + length > rest.length) this.#fault('a frame does not end with a whole record', rest.toString('hex'));
      const fields = fieldsOf(decode(rest.subarray(start, start + length)));
      for (const fault of this.#faultsOf(fields)) this.#fault(fault, JSON.stringify(fields));
      records.push(fields);
      rest = rest.subarray(start + length);
    }
    return records;
  }

  #checkText(data: Buffer, isBinary: boolean): readonly Fields[] {
    const text = data.toString('utf8');
    if (isBinary) this.#fault('a JSON frame is binary', text);
    if (!text.endsWith('\u001e')) this.#fault('a frame does not end with a whole record', text);
    return text
      .split('\u001e')
      .slice(0, -1)
      .map((record) => this.#record(record));
  }

  #record(text: string): Fields {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      this.#fault('a record is not JSON', text);
    }
    if (!isObject(value)) {
      this.#fault('a record is not an object', text);
      return {};
    }
    for (const fault of this.#faultsOf(value)) this.#fault(fault, text);
    return value;
  }

  #faultsOf(record: Fields): readonly string[] {
    if (this.#handshake === 'over') return ['a record follows the end of the connection'];
    if (this.#handshake === 'awaited') return this.#firstFaults(record);
    if (record['type'] === 7) this.#handshake = 'over';
    return messageFaults(record);
  }

  /** Checks the answer to the handshake, or a Sequence on a socket of stateful reconnect. */
  #firstFaults(record: Fields): readonly string[] {
    if (record['type'] === 9) {
      this.#handshake = 'accepted';
      return numberFaults(record);
    }
    if ('type' in record) return ['a message comes before the handshake answer'];
    const { error } = record;
    this.#handshake = error === undefined ? 'accepted' : 'over';
    return error === undefined || isText(error) ? [] : ['the handshake error is not a text'];
  }

  #fault(fault: string, text: string): void {
    this.faults.push(`${fault}: ${text.slice(0, 200)}`);
  }
}

function readLength(data: Buffer): { readonly length: number; readonly start: number } {
  let length = 0;
  for (let start = 0; ; start += 1) {
    const byte = data.readUInt8(start);
    length += (byte & 0x7f) * 2 ** (7 * start);
    if (byte < 0x80) return { length, start: start + 1 };
  }
}

/** A MessagePack message with the names of JSON. A part that does not fit becomes a fault there. */
function fieldsOf(message: unknown): Fields {
  if (!Array.isArray(message)) return {};
  const [type, ...rest] = message as readonly unknown[];
  if (type === 1) {
    const [, invocationId, target, given] = rest;
    return { type, target, arguments: given, ...(invocationId !== null && { invocationId }) };
  }
  if (type === 2) return { type, invocationId: rest[1], ...(rest.length === 3 && { item: rest[2] }) };
  if (type === 3) return { type, invocationId: rest[1], ...outcomeOf(rest.slice(2)) };
  if (type === 8 || type === 9) return { type, sequenceId: rest[0], ...(rest.length > 1 && { more: rest }) };
  if (type === 7) return { type, ...(rest[0] !== null && { error: rest[0] }), allowReconnect: rest[1] };
  return { type, ...(rest.length > 0 && { more: rest }) };
}

/** Kind 1 is an error, 2 is empty, and 3 is a result. The kind decides where the array ends. */
function outcomeOf([kind, value, ...more]: readonly unknown[]): Fields {
  if (more.length > 0) return { result: value, error: 'a completion is too long' };
  if (kind === 1) return { error: value };
  return kind === 3 ? { result: value } : {};
}

function messageFaults(record: Fields): readonly string[] {
  switch (record['type']) {
    case 1:
      return invocationFaults(record);
    case 2:
      return [...idFaults(record), ...('item' in record ? [] : ['a stream item has no item'])];
    case 3:
      return completionFaults(record);
    case 6:
      return Object.keys(record).length === 1 ? [] : ['a ping carries something'];
    case 7:
      return closeFaults(record);
    case 8:
      return numberFaults(record);
    case 9:
      return ['a Sequence is not the first message of its socket'];
    default:
      return ['a message has a type the server must not send'];
  }
}

function invocationFaults({ target, arguments: given, invocationId }: Fields): readonly string[] {
  const faults: string[] = [];
  if (typeof target !== 'string' || !/^[A-Z][A-Za-z]+$/.test(target)) faults.push('an event name is not PascalCase');
  if (!Array.isArray(given) || given.length !== 1 || !isObject(given[0])) {
    faults.push('an event does not carry exactly one object argument');
  }
  if (invocationId !== undefined && !isText(invocationId)) faults.push('an invocation id is not a text');
  return faults;
}

function completionFaults(record: Fields): readonly string[] {
  const faults = [...idFaults(record)];
  if ('result' in record && 'error' in record) faults.push('a completion has a result and an error');
  if ('error' in record && !isText(record['error'])) faults.push('a completion has an error that is not a text');
  return faults;
}

function closeFaults({ error, allowReconnect }: Fields): readonly string[] {
  const faults: string[] = [];
  if (error !== undefined && !isText(error)) faults.push('a Close has an error that is not a text');
  if (allowReconnect !== undefined && typeof allowReconnect !== 'boolean') {
    faults.push('allowReconnect is not a boolean');
  }
  return faults;
}

function numberFaults(record: Fields): readonly string[] {
  const { sequenceId } = record;
  const isNumber = typeof sequenceId === 'number' && Number.isInteger(sequenceId) && sequenceId >= 1;
  return isNumber && Object.keys(record).length === 2 ? [] : ['an Ack or Sequence has more or less than its number'];
}

function idFaults({ invocationId }: Fields): readonly string[] {
  return isText(invocationId) ? [] : ['an invocation id is not a text'];
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
