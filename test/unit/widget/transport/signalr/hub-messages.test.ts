import { describe, expect, it } from 'vitest';
import {
  readFields,
  readMessage,
  RecordReader,
  writeRecord,
} from '../../../../../src/widget/transport/signalr/hub-messages.ts';
import { EventStreamReader } from '../../../../../src/widget/transport/signalr/event-stream.ts';

describe('messages of the server, as the widget’s client reads them (contract/hub.md#protocol)', () => {
  it.each([
    ['an event', { type: 1, target: 'Raised', arguments: [{ a: 1 }] }],
    ['a call', { type: 1, target: 'Asked', arguments: [], invocationId: 's1' }],
    ['an item', { type: 2, invocationId: '1', item: null }],
    ['a result', { type: 3, invocationId: '1', result: null }],
    ['an error', { type: 3, invocationId: '1', error: 'No.' }],
    ['a ping', { type: 6 }],
    ['a Close', { type: 7, error: null, allowReconnect: true }],
    ['an acknowledgement', { type: 8, sequenceId: 4 }],
    ['a message of a later protocol', { type: 42, anything: true }],
  ])('%s is taken as it is', (_title, message) => {
    expect(readMessage(JSON.stringify(message))).toEqual(message);
  });

  it.each([
    ['no JSON', '{'],
    ['no object', '[1]0'],
    ['null', 'null'],
    ['a text', '"x"'],
    ['an event without a name', '{"type":1,"arguments":[]}'],
    ['an event without arguments', '{"type":1,"target":"A"}'],
    ['a result of no call', '{"type":3,"result":1}'],
    ['a sequence without its number', '{"type":9}'],
    ['an acknowledgement of half a message', '{"type":8,"sequenceId":1.5}'],
  ])('%s is refused', (_title, record) => {
    expect(() => readMessage(record)).toThrow(Error);
  });

  it('a record is an object', () => {
    expect(readFields('{}')).toEqual({});
    expect(() => readFields('1')).toThrow('not an object');
  });
});

describe('records on their way (contract/hub.md#protocol)', () => {
  it('are put together however they were cut', () => {
    const all = [1, 2, 3].map((number) => writeRecord({ number, text: 'ü🙂' })).join('');
    for (let length = 1; length <= all.length; length += 1) {
      const reader = new RecordReader(1000);
      const records: string[] = [];
      for (let at = 0; at < all.length; at += length) records.push(...reader.take(all.slice(at, at + length)));
      expect(records.map(readFields)).toEqual([1, 2, 3].map((number) => ({ number, text: 'ü🙂' })));
    }
  });

  it('wait for their end only up to a limit', () => {
    const reader = new RecordReader(10);
    expect(reader.take('123456')).toEqual([]);
    expect(() => reader.take('78901')).toThrow('too long');
  });
});

describe('the data of an event stream', () => {
  const stream = ':\r\ndata: one\r\n\r\ndata:two\n\nevent: x\rdata:  three\r\rid: 4\r\n\r\n';

  it.each([1, 2, 3, 5, 7, 1000])('is read from pieces of %i characters, whatever ends a line', (length) => {
    const reader = new EventStreamReader();
    let data = '';
    for (let at = 0; at < stream.length; at += length) data += reader.take(stream.slice(at, at + length));
    expect(data).toBe('onetwo three');
  });

  it('has lines up to a limit', () => {
    const reader = new EventStreamReader();
    reader.take('x'.repeat(2 ** 24));
    expect(() => reader.take('x')).toThrow('too long');
  });
});
