import { toJson } from './to-json.ts';

/** The end of every record of the JSON protocol. */
const recordEnd = '\u001e';

/** The server's messages on which the client acts. The numbers are those of the protocol. */
export type ServerMessage =
  | InvocationMessage
  | { readonly type: 2; readonly invocationId: string; readonly item: unknown }
  | { readonly type: 3; readonly invocationId: string; readonly result?: unknown; readonly error?: unknown }
  | { readonly type: 6 }
  | { readonly type: 7; readonly error?: unknown; readonly allowReconnect?: boolean }
  | { readonly type: 8 | 9; readonly sequenceId: number };

/** An event. With an id it is a call whose result the server awaits. */
export interface InvocationMessage {
  readonly type: 1;
  readonly target: string;
  readonly arguments: readonly unknown[];
  readonly invocationId?: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

/** One message in the form in which it is sent. */
export function writeRecord(message: object): string {
  return toJson(message) + recordEnd;
}

/**
 * Reads one record as an object.
 * @throws Error when the record is no object.
 */
export function readFields(record: string): Fields {
  const fields: unknown = JSON.parse(record);
  if (typeof fields !== 'object' || fields === null) throw new Error('not an object');
  return fields as Fields; // the check above ensures that the value is an object
}

/**
 * Reads one message of the server. A message of an unknown type is returned too, and the client ignores it.
 * @throws Error when the message has the wrong shape.
 */
export function readMessage(record: string): ServerMessage {
  const fields = readFields(record);
  if (!isWellShaped(fields)) throw new Error('misshapen');
  return fields as unknown as ServerMessage; // the type was checked, and no `case` takes any other type
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

/** The error that the server reports, or null when it reports none. */
export function faultIn({ error = null }: { readonly error?: unknown }, prefix = ''): Error | null {
  return error === null ? null : new Error(prefix + (typeof error === 'string' ? error : 'no reason given'));
}

/** Cuts the received text into records. An incomplete record waits for its end, up to a limit. */
export class RecordReader {
  readonly #limit: number;
  #rest = '';

  /** `limit` is the largest number of characters that may wait. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Returns the complete records.
   * @throws Error when a record is too long.
   */
  take(text: string): readonly string[] {
    if (this.#rest.length + text.length > this.#limit) throw new Error('too long');
    const records = (this.#rest + text).split(recordEnd);
    this.#rest = records.pop() ?? '';
    return records;
  }
}
