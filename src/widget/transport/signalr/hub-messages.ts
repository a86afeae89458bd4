/** What ends every record of the JSON protocol. */
const recordEnd = '\u001e';

/** The messages of the server that the client acts on; the numbers are the protocol's. */
export type ServerMessage =
  | InvocationMessage
  | { readonly type: 2; readonly invocationId: string; readonly item: unknown }
  | { readonly type: 3; readonly invocationId: string; readonly result?: unknown; readonly error?: unknown }
  | { readonly type: 6 }
  | { readonly type: 7; readonly error?: unknown; readonly allowReconnect?: boolean }
  | { readonly type: 8 | 9; readonly sequenceId: number };

/** An event, or with an id a call whose result the server waits for. */
export interface InvocationMessage {
  readonly type: 1;
  readonly target: string;
  readonly arguments: readonly unknown[];
  readonly invocationId?: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

/** One message as it travels. */
export function writeRecord(message: object): string {
  return JSON.stringify(message) + recordEnd;
}

/** One record as an object. @throws when it is none */
export function readFields(record: string): Fields {
  const fields: unknown = JSON.parse(record);
  if (typeof fields !== 'object' || fields === null) throw new Error('a record is no object');
  return fields as Fields; // the line before says so
}

/** One message of the server. A type that nobody knows is none of the client's business. @throws when it is misshapen */
export function readMessage(record: string): ServerMessage {
  const fields = readFields(record);
  if (!isWellShaped(fields)) throw new Error('a misshapen message');
  return fields as unknown as ServerMessage; // checked by type; of any other type no `case` takes it
}

function isWellShaped({ type, ...fields }: Fields): boolean {
  switch (type) {
    case 1:
      return typeof fields['target'] === 'string' && Array.isArray(fields['arguments']);
    case 2:
    case 3:
      return typeof fields['invocationId'] === 'string';
    case 8:
    case 9:
      return Number.isInteger(fields['sequenceId']);
    default:
      return true;
  }
}

/** What the server says went wrong; null when it says nothing. */
export function faultIn({ error = null }: { readonly error?: unknown }, prefix = ''): Error | null {
  return error === null ? null : new Error(prefix + (typeof error === 'string' ? error : 'no reason given'));
}

/** Cuts what arrives into records. Half a record waits for its end, up to a limit. */
export class RecordReader {
  readonly #limit: number;
  #rest = '';

  /** `limit`: the most characters that may wait. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The records that are whole by now. @throws when one is too long */
  take(text: string): readonly string[] {
    if (this.#rest.length + text.length > this.#limit) throw new Error('too long a message');
    const records = (this.#rest + text).split(recordEnd);
    this.#rest = records.pop() ?? '';
    return records;
  }
}
