import { decode, encode } from '@msgpack/msgpack';
import { describe, expect, it } from 'vitest';
import { messagePackCodec } from '../../../../../../src/channels/hub/protocol/codec/message-pack-codec.ts';
import { HubProtocolError } from '../../../../../../src/channels/hub/protocol/hub-errors.ts';

const xyz = 'a378797a';
const method = 'a66d6574686f64';

function read(hex: string): unknown {
  return messagePackCodec.read(Buffer.from(hex, 'hex'));
}

/** The written bytes without the length in front. The length must be right. */
function hexOf(record: string): string {
  const bytes = Buffer.from(record, 'latin1');
  expect(bytes[0]).toBe(bytes.length - 1);
  return bytes.subarray(1).toString('hex');
}

describe('messagePackCodec.read, with the bytes of the protocol’s specification (contract/hub.md#protocol)', () => {
  const call = { target: 'method', arguments: [42], streamIds: [] };
  it.each([
    ['an invocation', `960180${xyz}${method}912a90`, { kind: 'invocation', invocationId: 'xyz', ...call }],
    ['one that wants no answer', `960180c0${method}912a90`, { kind: 'invocation', invocationId: undefined, ...call }],
    ['one without stream ids', `950180c0${method}912a`, { kind: 'invocation', invocationId: undefined, ...call }],
    ['one with headers', `960181a178a179c0${method}912a90`, { kind: 'invocation', invocationId: undefined, ...call }],
    ['a stream invocation', `960480${xyz}${method}912a90`, { kind: 'stream-invocation', invocationId: 'xyz', ...call }],
    ['a cancellation', `930580${xyz}`, { kind: 'cancel-invocation', invocationId: 'xyz' }],
    ['a result', `950380${xyz}032a`, { kind: 'completion', invocationId: 'xyz', error: undefined, result: 42 }],
    ['an empty answer', `940380${xyz}02`, { kind: 'completion', invocationId: 'xyz', error: undefined, result: null }],
    ['an error', `950380${xyz}01${xyz}`, { kind: 'completion', invocationId: 'xyz', error: 'xyz', result: null }],
    ['a ping', '9106', { kind: 'ping' }],
    ['a Close', `9207${xyz}`, { kind: 'close' }],
    ['an item of an upload nobody takes', `940280${xyz}2a`, { kind: 'stream-item' }],
    ['an Ack', '920805', { kind: 'ack', sequenceId: 5 }],
    ['a Sequence', '9209cd0100', { kind: 'sequence', sequenceId: 256 }],
    ['a type of the future', '912a', { kind: 'ignored' }],
  ])('reads %s', (_title, hex, expected) => {
    expect(read(hex)).toEqual(expected);
  });

  it.each([
    ['an answer of no kind', `950380${xyz}092a`, "Expected 'resultKind' to be 1, 2 or 3."],
    ['nothing', '', 'A message is not valid MessagePack.'],
    ['half a message', `960180${xyz}`, 'A message is not valid MessagePack.'],
    ['bytes behind the message', '910600', 'A message is not valid MessagePack.'],
    ['a byte that is never used', '91c1', 'A message is not valid MessagePack.'],
    ['a map with a key of no text', '9281c00106', 'A message is not valid MessagePack.'],
    ['a map', '80', 'A message is not a MessagePack array.'],
    ['an Ack without a number', '9108', "Expected 'sequenceId' to be an integer."],
    ['a Sequence of nothing', '920900', "Expected 'sequenceId' to be positive."],
    ['no type', '90', "Expected 'type' to be an integer."],
    ['a type that is no number', '91a131', "Expected 'type' to be an integer."],
    ['a numeric id', `96018001${method}912a90`, "Expected 'invocationId' to be a string."],
    ['arguments that are no list', `960180${xyz}${method}2a90`, "Expected 'arguments' to be an array."],
    ['a stream without an id', `960480c0${method}912a90`, "Expected 'invocationId' to be a string."],
  ])('refuses %s', (_title, hex, text) => {
    expect(() => read(hex)).toThrow(new HubProtocolError(text));
  });

  it('makes no room for lists and maps that only claim to be long', () => {
    // Each list says it has a million entries, of which the next list is the first.
    const claims = Buffer.from('dd000f4240'.repeat(10_000), 'hex');
    const before = process.memoryUsage().heapUsed;
    for (const bytes of [claims, Buffer.from('ddffffffff', 'hex'), Buffer.from('dfffffffff', 'hex')]) {
      expect(() => messagePackCodec.read(bytes)).toThrow(HubProtocolError);
    }
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(50_000_000);
  });

  it('reads every kind of value there is', () => {
    const kinds = [
      null,
      true,
      -1,
      200,
      70_000,
      2 ** 40,
      -200,
      -70_000,
      1.5,
      'x'.repeat(40),
      'x'.repeat(300),
      'x'.repeat(70_000),
    ];
    const large = Array.from({ length: 70_000 }, () => 0);
    const values = [
      ...kinds,
      large.slice(0, 20),
      large,
      Object.fromEntries(large.slice(0, 20).map((zero, at) => [`k${String(at)}`, zero])),
    ];
    const bytes = Buffer.from(encode([1, {}, '1', 'Echo', [values, new Uint8Array(300), new Date(0)], []]));
    expect(messagePackCodec.read(bytes)).toMatchObject({
      target: 'Echo',
      arguments: [values, expect.anything(), new Date(0)],
    });
  });
});

describe('messagePackCodec, writing (contract/hub.md#protocol)', () => {
  // proves wire-3-44
  it('writes the bytes of the protocol’s specification', () => {
    expect(hexOf(messagePackCodec.eventJson('method', '42'))).toBe(`960180c0${method}912a90`);
    expect(hexOf(messagePackCodec.invocation('xyz', 'method', 42))).toBe(`960180${xyz}${method}912a90`);
    expect(hexOf(messagePackCodec.streamItemJson('xyz', '42'))).toBe(`940280${xyz}2a`);
    expect(hexOf(messagePackCodec.error('xyz', 'Error'))).toBe(`950380${xyz}01a54572726f72`);
    expect(hexOf(messagePackCodec.streamEnd('xyz'))).toBe(`940380${xyz}02`);
    expect(hexOf(messagePackCodec.result('xyz', 42))).toBe(`950380${xyz}032a`);
    expect(hexOf(messagePackCodec.result('xyz', undefined))).toBe(`950380${xyz}03c0`);
    expect(hexOf(messagePackCodec.ping)).toBe('9106');
    expect(hexOf(messagePackCodec.close({ error: 'xyz' }))).toBe(`9307${xyz}c2`);
    expect(hexOf(messagePackCodec.close({ allowReconnect: true }))).toBe('9307c0c3');
  });

  it('writes what is nested deeper than any list of ours: arguments are a model’s', () => {
    const nested = '['.repeat(1000) + ']'.repeat(1000);
    const record = Buffer.from(messagePackCodec.eventJson('a', nested), 'latin1');
    expect(JSON.stringify(decode(record.subarray(2)))).toContain(nested);
  });

  // proves wire-3-92
  it('writes bytes and dates as such, a date as extension -1, wherever they stand', () => {
    const value = { bytes: new Uint8Array([1, 2, 255]), buffer: Buffer.from('hi'), list: [new Date(1000)] };
    const written = [
      messagePackCodec.result('1', value),
      messagePackCodec.event('method', value),
      messagePackCodec.invocation('s1', 'method', value),
      messagePackCodec.streamItem('1', value),
    ];
    for (const record of written.map(hexOf)) {
      expect(record).toContain('c4030102ff');
      expect(record).toContain('c4026869');
      expect(record).toContain('d6ff00000001');
    }
    expect(hexOf(messagePackCodec.result('1', new Date(1500)))).toContain('d7ff');
    expect(hexOf(messagePackCodec.result('1', new Date(-1)))).toContain('c70cff');
  });

  it.each([
    ['what says how it is written', new URL('http://localhost/')],
    [
      'what cannot be said',
      { nothing: undefined, run: () => 1, list: [undefined, () => 1, NaN, Infinity], mark: Symbol('x') },
    ],
    ['a date of no time', { at: new Date(Number.NaN) }],
    ['no value', undefined],
    ['texts, numbers and flags', ['a', 1.5, -1, true, false, null]],
    ['what says that it is something else', { toJSON: (key: string) => ({ key, inner: { toJSON: () => 'inner' } }) }],
    ['maps, sets and classes', { map: new Map([[1, 2]]), error: new HubProtocolError('x') }],
  ])('writes %s as JSON does', (_title, value) => {
    const asJson: unknown = JSON.parse(JSON.stringify({ value: value ?? null }));
    expect(hexOf(messagePackCodec.result('1', { value: value ?? null }))).toBe(
      hexOf(messagePackCodec.result('1', asJson)),
    );
  });

  it('writes no bigint and nothing endless, like JSON', () => {
    const endless: unknown[] = [];
    endless.push(endless);
    for (const value of [{ n: 1n }, endless]) expect(() => messagePackCodec.result('1', value)).toThrow(Error);
  });
});

describe('wide messages in MessagePack (contract/hub.md#side-by-side)', () => {
  const crowding = { containers: 10, members: 5, values: 50, isCrowded: () => false };
  const isRead = (argument: unknown): boolean => {
    const bytes = Buffer.from(encode([1, {}, null, 'Ask', [argument], []]));
    expect(messagePackCodec.read(bytes)).toMatchObject({ kind: 'invocation' });
    try {
      messagePackCodec.read(bytes, crowding);
      return true;
    } catch (error) {
      expect(error).toEqual(new HubProtocolError('A message has more values than this server reads.'));
      return false;
    }
  };
  const members = (count: number): object =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${String(at)}`, at]));

  // proves wire-24-02
  it.each([
    ['as many members as one object may have', members(5), true],
    ['more members', members(6), false],
    ['more members than a short head tells', members(300), false],
    ['as many lists as there may be', Array.from({ length: 5 }, () => []), true],
    ['more lists', Array.from({ length: 6 }, () => []), false],
    ['more objects', Array.from({ length: 6 }, () => ({})), false],
    ['as many values as there may be', Array.from({ length: 40 }, () => 0), true],
    ['more values', Array.from({ length: 60 }, () => 0), false],
    ['a long text', 'x'.repeat(5_000), true],
  ])('are refused before they are read: %s', (_what, argument, taken) => {
    expect(isRead(argument)).toBe(taken);
  });
});
