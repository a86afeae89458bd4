type Fields = Readonly<Record<string, unknown>>;

/**
 * Checks every frame a hub sends against the rules that official clients depend on (notes of wire.md 3): .NET and Java
 * clients drop or disconnect where JavaScript forgives. Faults are collected, so that a test can name them all.
 */
export class HubWireLinter {
  readonly faults: string[] = [];
  #handshake: 'awaited' | 'accepted' | 'over' = 'awaited';

  /** One WebSocket frame as the client received it. */
  check(data: Buffer, isBinary: boolean): readonly Fields[] {
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
    if (this.#handshake === 'awaited') return this.#handshakeFaults(record);
    if (record['type'] === 7) this.#handshake = 'over';
    return messageFaults(record);
  }

  #handshakeFaults(record: Fields): readonly string[] {
    if ('type' in record) return ['a message comes before the handshake answer'];
    const { error } = record;
    this.#handshake = error === undefined ? 'accepted' : 'over';
    return error === undefined || isText(error) ? [] : ['the handshake error is not a text'];
  }

  #fault(fault: string, text: string): void {
    this.faults.push(`${fault}: ${text.slice(0, 200)}`);
  }
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

function idFaults({ invocationId }: Fields): readonly string[] {
  return isText(invocationId) ? [] : ['an invocation id is not a text'];
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
