import { HubProtocolError } from '../hub-errors.ts';
import type { ClientMessage, Invocation } from './client-message.ts';
import { type Crowding, crowdedText } from './crowding.ts';
import type { HubCodec } from './hub-codec.ts';
import { RecordBuffer } from './record-buffer.ts';
import { traceHeader } from './trace-header.ts';

const separator = '\u001e';

type Fields = Readonly<Record<string, unknown>>;

/** The SignalR JSON protocol: each message is one JSON object followed by the record separator 0x1E. */
export const jsonCodec: HubCodec = {
  name: 'json',
  newestVersion: 2,
  isBinary: false,
  newReader: (maxBytes) => new RecordBuffer(maxBytes),
  read: readMessage,
  event: (target, argument) => eventJson(target, jsonOf(argument)),
  eventJson,
  invocation: (invocationId, target, argument) =>
    `{"type":1,"invocationId":"${invocationId}","target":${JSON.stringify(target)},"arguments":[${jsonOf(argument)}]}${separator}`,
  streamItem: (invocationId, item) => streamItemJson(invocationId, jsonOf(item)),
  streamItemJson,
  result: (invocationId, result) =>
    `{"type":3,"invocationId":${JSON.stringify(invocationId)},"result":${jsonOf(result)}}${separator}`,
  streamEnd: (invocationId) => `{"type":3,"invocationId":${JSON.stringify(invocationId)}}${separator}`,
  error: (invocationId, error) => JSON.stringify({ type: 3, invocationId, error }) + separator,
  close: (options) => JSON.stringify({ type: 7, ...options }) + separator,
  ack: (sequenceId) => `{"type":8,"sequenceId":${String(sequenceId)}}${separator}`,
  sequence: (sequenceId) => `{"type":9,"sequenceId":${String(sequenceId)}}${separator}`,
  ping: `{"type":6}${separator}`,
};

function eventJson(target: string, argumentJson: string): string {
  return `{"type":1,"target":${JSON.stringify(target)},"arguments":[${argumentJson}]}${separator}`;
}

function streamItemJson(invocationId: string, itemJson: string): string {
  return `{"type":2,"invocationId":${JSON.stringify(invocationId)},"item":${itemJson}}${separator}`;
}

/**
 * The value as JSON. Bytes become base64, as ASP.NET Core writes them and its clients read them. A value that JSON cannot express becomes
 * null.
 */
function jsonOf(value: unknown): string {
  // The value is wrapped in a holder, so that it is treated like the values inside it.
  const written = JSON.stringify([value], function (this: Fields, key, json: unknown) {
    // `json` is already the Buffer's own JSON form here, so the original value is read from its holder.
    const own = this[key];
    return own instanceof Uint8Array ? base64Of(own) : json;
  });
  return written.slice(1, -1);
}

function base64Of({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}

/** Parses one record as a JSON object. @throws HubProtocolError */
export function readJsonObject(record: Buffer, crowding?: Crowding): Fields {
  const json = record.toString('utf8');
  if (crowding?.isCrowded(json) === true) throw new HubProtocolError(crowdedText);
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new HubProtocolError('A message is not valid JSON.', { cause: error });
  }
  if (!isObject(value)) throw new HubProtocolError('A message is not a JSON object.');
  return value;
}

function readMessage(record: Buffer, crowding?: Crowding): ClientMessage {
  const fields = readJsonObject(record, crowding);
  switch (integer(fields, 'type')) {
    case 1:
      return readInvocation(fields, 'invocation');
    case 2:
      return { kind: 'stream-item' };
    case 3:
      return readCompletion(fields);
    case 4:
      return { ...readInvocation(fields, 'stream-invocation'), invocationId: text(fields, 'invocationId') };
    case 5:
      return { kind: 'cancel-invocation', invocationId: text(fields, 'invocationId') };
    case 6:
      return { kind: 'ping' };
    case 7:
      return { kind: 'close' };
    case 8:
      return { kind: 'ack', sequenceId: sequenceId(fields) };
    case 9:
      return { kind: 'sequence', sequenceId: sequenceId(fields) };
    default:
      return { kind: 'ignored' };
  }
}

function readInvocation(fields: Fields, kind: Invocation['kind']): Invocation {
  return {
    kind,
    target: text(fields, 'target'),
    arguments: list(fields, 'arguments'),
    // An empty id means none, as in ASP.NET Core.
    invocationId: (fields['invocationId'] ?? '') === '' ? undefined : text(fields, 'invocationId'),
    streamIds: (fields['streamIds'] ?? undefined) === undefined ? [] : list(fields, 'streamIds'),
    traceparent: traceHeader(fields['headers']),
  };
}

function readCompletion(fields: Fields): ClientMessage {
  const error = (fields['error'] ?? undefined) === undefined ? undefined : text(fields, 'error');
  return { kind: 'completion', invocationId: text(fields, 'invocationId'), error, result: fields['result'] ?? null };
}

function integer(fields: Fields, name: string): number {
  const value = required(fields, name);
  if (typeof value !== 'number' || !Number.isInteger(value)) throw wrongType(name, 'an integer');
  return value;
}

function sequenceId(fields: Fields): number {
  const value = integer(fields, 'sequenceId');
  if (value < 1) throw wrongType('sequenceId', 'positive');
  return value;
}

function text(fields: Fields, name: string): string {
  const value = required(fields, name);
  if (typeof value !== 'string') throw wrongType(name, 'a string');
  return value;
}

function list(fields: Fields, name: string): readonly unknown[] {
  const value: unknown = required(fields, name);
  if (!Array.isArray(value)) throw wrongType(name, 'an array');
  return value;
}

function required(fields: Fields, name: string): unknown {
  if (!Object.hasOwn(fields, name)) throw new HubProtocolError(`Missing required property '${name}'.`);
  return fields[name];
}

function wrongType(name: string, expected: string): HubProtocolError {
  return new HubProtocolError(`Expected '${name}' to be ${expected}.`);
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
