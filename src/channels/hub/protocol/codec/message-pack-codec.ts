import { decode, encode } from '@msgpack/msgpack';
import { HubProtocolError } from '../hub-errors.ts';
import type { ClientMessage, Invocation } from './client-message.ts';
import { type Crowding, crowdedText } from './crowding.ts';
import type { HubCodec } from './hub-codec.ts';
import { LengthPrefixedBuffer, withLength } from './length-prefixed-buffer.ts';
import { declaredIn } from './message-pack-bounds.ts';
import { messagePackValue } from './message-pack-value.ts';
import { traceHeader } from './trace-header.ts';

/** How a Completion ends: with an error, with nothing, or with a result. */
const completionKinds = { error: 1, nothing: 2, result: 3 } as const;
const noHeaders = {};

/**
 * The SignalR MessagePack protocol. Each message is a MessagePack array after its length. Besides the values of JSON, it carries bytes and
 * dates (extension -1) in both directions.
 */
export const messagePackCodec: HubCodec = {
  name: 'messagepack',
  newestVersion: 2,
  isBinary: true,
  newReader: (maxBytes) => new LengthPrefixedBuffer(maxBytes),
  read: readMessage,
  event: (target, argument) => write([1, noHeaders, null, target, [messagePackValue(argument)], []]),
  eventJson: (target, argumentJson) => write([1, noHeaders, null, target, [JSON.parse(argumentJson)], []]),
  invocation: (invocationId, target, argument) =>
    write([1, noHeaders, invocationId, target, [messagePackValue(argument)], []]),
  streamItem: (invocationId, item) => write([2, noHeaders, invocationId, messagePackValue(item)]),
  streamItemJson: (invocationId, itemJson) => write([2, noHeaders, invocationId, JSON.parse(itemJson)]),
  result: (invocationId, result) =>
    write([3, noHeaders, invocationId, completionKinds.result, messagePackValue(result)]),
  streamEnd: (invocationId) => write([3, noHeaders, invocationId, completionKinds.nothing]),
  error: (invocationId, error) => write([3, noHeaders, invocationId, completionKinds.error, error]),
  close: ({ error, allowReconnect }) => write([7, error ?? null, allowReconnect ?? false]),
  ack: (sequenceId) => write([8, sequenceId]),
  sequence: (sequenceId) => write([9, sequenceId]),
  ping: write([6]),
};

/**
 * A record with one character per byte, so that records of both protocols are queued and joined in the same way. The depth is not limited,
 * as in JSON: the encoder's own limit is lower than what the arguments of a model may have.
 */
function write(message: readonly unknown[]): string {
  return withLength(encode(message, { maxDepth: Infinity })).toString('latin1');
}

function readMessage(record: Buffer, crowding?: Crowding): ClientMessage {
  const fields = readArray(record, crowding);
  switch (fields[0]) {
    case 1:
      return readInvocation(fields, 'invocation', optionalText(fields[2], 'invocationId'));
    case 2:
      return { kind: 'stream-item' };
    case 3:
      return readCompletion(fields);
    case 4:
      return readInvocation(fields, 'stream-invocation', text(fields[2], 'invocationId'));
    case 5:
      return { kind: 'cancel-invocation', invocationId: text(fields[2], 'invocationId') };
    case 6:
      return { kind: 'ping' };
    case 7:
      return { kind: 'close' };
    case 8:
      return { kind: 'ack', sequenceId: sequenceId(fields[1]) };
    case 9:
      return { kind: 'sequence', sequenceId: sequenceId(fields[1]) };
    default:
      return { kind: 'ignored' };
  }
}

function readArray(record: Buffer, crowding?: Crowding): readonly unknown[] {
  const declared = declaredIn(record, crowding);
  if (declared === 'too-much') throw new HubProtocolError(crowdedText);
  let value: unknown;
  try {
    value = declared === 'held' ? decode(record) : undefined;
  } catch (error) {
    throw new HubProtocolError('A message is not valid MessagePack.', { cause: error });
  }
  if (value === undefined) throw new HubProtocolError('A message is not valid MessagePack.');
  if (!Array.isArray(value)) throw new HubProtocolError('A message is not a MessagePack array.');
  const fields: readonly unknown[] = value;
  if (!Number.isInteger(fields[0])) throw wrongType('type', 'an integer');
  return fields;
}

function readInvocation(
  fields: readonly unknown[],
  kind: Invocation['kind'],
  invocationId: string | undefined,
): Invocation {
  const target = text(fields[3], 'target');
  return {
    kind,
    target,
    arguments: list(fields[4], 'arguments'),
    invocationId,
    streamIds: list(fields[5] ?? [], 'streamIds'),
    traceparent: traceHeader(fields[1]),
  };
}

function readCompletion([, , id, kind, value]: readonly unknown[]): ClientMessage {
  const invocationId = text(id, 'invocationId');
  switch (kind) {
    case completionKinds.error:
      return { kind: 'completion', invocationId, error: text(value, 'error'), result: null };
    case completionKinds.nothing:
      return { kind: 'completion', invocationId, error: undefined, result: null };
    case completionKinds.result:
      return { kind: 'completion', invocationId, error: undefined, result: value };
    default:
      throw wrongType('resultKind', '1, 2 or 3');
  }
}

function sequenceId(value: unknown): number {
  if (typeof value !== 'number' || !Number.isInteger(value)) throw wrongType('sequenceId', 'an integer');
  if (value < 1) throw wrongType('sequenceId', 'positive');
  return value;
}

function text(value: unknown, name: string): string {
  if (typeof value !== 'string') throw wrongType(name, 'a string');
  return value;
}

/** An empty id means none, as in ASP.NET Core. */
function optionalText(value: unknown, name: string): string | undefined {
  return (value ?? '') === '' ? undefined : text(value, name);
}

function list(value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value)) throw wrongType(name, 'an array');
  return value;
}

function wrongType(name: string, expected: string): HubProtocolError {
  return new HubProtocolError(`Expected '${name}' to be ${expected}.`);
}
