import { describe, expect, it } from 'vitest';
import { jsonCodec } from '../../../../../../src/channels/hub/protocol/codec/json-codec.ts';
import { HubProtocolError } from '../../../../../../src/channels/hub/protocol/hub-errors.ts';

function read(message: unknown): unknown {
  return jsonCodec.read(Buffer.from(typeof message === 'string' ? message : JSON.stringify(message)));
}

describe('jsonCodec.read (contract/hub.md#protocol)', () => {
  it.each([
    [
      'an invocation',
      { type: 1, target: 'Ask', arguments: [1], invocationId: '7' },
      { kind: 'invocation', target: 'Ask', arguments: [1], invocationId: '7', streamIds: [] },
    ],
    [
      'an invocation that wants no answer, with properties it does not know',
      { type: 1, target: 'Ask', arguments: [], headers: { a: 'b' }, more: 1 },
      { kind: 'invocation', target: 'Ask', arguments: [], invocationId: undefined, streamIds: [] },
    ],
    [
      'null and empty ids as no id',
      { type: 1, target: 'Ask', arguments: [], invocationId: null, streamIds: null },
      { kind: 'invocation', target: 'Ask', arguments: [], invocationId: undefined, streamIds: [] },
    ],
    [
      'a stream invocation',
      { type: 4, target: 'Ask', arguments: [], invocationId: '1' },
      { kind: 'stream-invocation', target: 'Ask', arguments: [], invocationId: '1', streamIds: [] },
    ],
    ['a cancellation', { type: 5, invocationId: '1' }, { kind: 'cancel-invocation', invocationId: '1' }],
    ['a ping', { type: 6 }, { kind: 'ping' }],
    ['a close', { type: 7 }, { kind: 'close' }],
    ['a stream item of an upload nobody takes', { type: 2, invocationId: '1', item: 1 }, { kind: 'stream-item' }],
    [
      'a completion with a result',
      { type: 3, invocationId: 's1', result: 5 },
      { kind: 'completion', invocationId: 's1', error: undefined, result: 5 },
    ],
    [
      'a completion with nothing',
      { type: 3, invocationId: 's1', error: null },
      { kind: 'completion', invocationId: 's1', error: undefined, result: null },
    ],
    [
      'a completion with an error',
      { type: 3, invocationId: 's1', error: 'no' },
      { kind: 'completion', invocationId: 's1', error: 'no', result: null },
    ],
    ['an Ack', { type: 8, sequenceId: 5 }, { kind: 'ack', sequenceId: 5 }],
    ['a Sequence', { type: 9, sequenceId: 1 }, { kind: 'sequence', sequenceId: 1 }],
    ['a type of the future', { type: 42 }, { kind: 'ignored' }],
  ])('reads %s', (_title, message, expected) => {
    expect(read(message)).toEqual(expected);
  });

  it.each([
    ['an Ack without a number', { type: 8 }, "Missing required property 'sequenceId'."],
    ['an Ack of a text', { type: 8, sequenceId: '1' }, "Expected 'sequenceId' to be an integer."],
    ['a Sequence of nothing', { type: 9, sequenceId: 0 }, "Expected 'sequenceId' to be positive."],
    ['a completion without an id', { type: 3, result: 1 }, "Missing required property 'invocationId'."],
    [
      'a completion with an error of no text',
      { type: 3, invocationId: 's1', error: {} },
      "Expected 'error' to be a string.",
    ],
    ['broken JSON', '{"type":1', 'A message is not valid JSON.'],
    ['a list', '[]', 'A message is not a JSON object.'],
    ['no type', {}, "Missing required property 'type'."],
    ['a type that is no number', { type: '1' }, "Expected 'type' to be an integer."],
    ['no target', { type: 1, arguments: [] }, "Missing required property 'target'."],
    ['no arguments', { type: 1, target: 'Ask' }, "Missing required property 'arguments'."],
    ['arguments that are no list', { type: 1, target: 'Ask', arguments: {} }, "Expected 'arguments' to be an array."],
    [
      'a numeric id',
      { type: 1, target: 'Ask', arguments: [], invocationId: 1 },
      "Expected 'invocationId' to be a string.",
    ],
    ['a stream without an id', { type: 4, target: 'Ask', arguments: [] }, "Missing required property 'invocationId'."],
  ])('refuses %s', (_title, message, text) => {
    expect(() => read(message)).toThrow(new HubProtocolError(text));
  });
});

describe('jsonCodec, writing (contract/hub.md#protocol)', () => {
  it('writes each message as one record', () => {
    expect(jsonCodec.eventJson('TextDelta', '{"text":"hi"}')).toBe(
      '{"type":1,"target":"TextDelta","arguments":[{"text":"hi"}]}\u001e',
    );
    expect(jsonCodec.invocation('s1', 'Ask', {})).toBe(
      '{"type":1,"invocationId":"s1","target":"Ask","arguments":[{}]}\u001e',
    );
    expect(jsonCodec.streamItemJson('1', '{"a":1}')).toBe('{"type":2,"invocationId":"1","item":{"a":1}}\u001e');
    expect(jsonCodec.streamEnd('1')).toBe('{"type":3,"invocationId":"1"}\u001e');
    expect(jsonCodec.error('1', 'no')).toBe('{"type":3,"invocationId":"1","error":"no"}\u001e');
    expect(jsonCodec.ack(5)).toBe('{"type":8,"sequenceId":5}\u001e');
    expect(jsonCodec.sequence(6)).toBe('{"type":9,"sequenceId":6}\u001e');
    expect(jsonCodec.ping).toBe('{"type":6}\u001e');
    expect(jsonCodec.close({})).toBe('{"type":7}\u001e');
    expect(jsonCodec.close({ error: 'x', allowReconnect: true })).toBe(
      '{"type":7,"error":"x","allowReconnect":true}\u001e',
    );
  });

  it('writes the result of a method that returns nothing as null', () => {
    expect(jsonCodec.result('1', undefined)).toBe('{"type":3,"invocationId":"1","result":null}\u001e');
  });

  it('escapes ids that a client chose', () => {
    expect(jsonCodec.streamEnd('"\u001e')).toBe('{"type":3,"invocationId":"\\"\\u001e"}\u001e');
  });

  // proves wire-3-92
  it('writes bytes as base64 and dates as ISO 8601, wherever they stand', () => {
    const value = { bytes: new Uint8Array([1, 2, 255]), buffer: Buffer.from('hi'), list: [new Date(0)] };
    const json = '{"bytes":"AQL/","buffer":"aGk=","list":["1970-01-01T00:00:00.000Z"]}';
    expect(jsonCodec.result('1', value)).toBe(`{"type":3,"invocationId":"1","result":${json}}\u001e`);
    expect(jsonCodec.event('a', value)).toBe(`{"type":1,"target":"a","arguments":[${json}]}\u001e`);
    expect(jsonCodec.invocation('s1', 'a', value)).toContain(`"arguments":[${json}]`);
    expect(jsonCodec.streamItem('1', value)).toBe(`{"type":2,"invocationId":"1","item":${json}}\u001e`);
    expect(jsonCodec.result('1', new Uint8Array([7]).subarray(0))).toContain('"result":"Bw=="');
  });
});
