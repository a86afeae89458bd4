import { encode } from '@msgpack/msgpack';
import { describe, expect, it } from 'vitest';
import { withLength } from '../../../../src/channels/hub/protocol/codec/length-prefixed-buffer.ts';
import { HubWireLinter } from '../../../support/hub-wire-linter.ts';

function faultsOf(...frames: (string | object)[]): readonly string[] {
  const linter = new HubWireLinter();
  for (const frame of frames) {
    const text = typeof frame === 'string' ? frame : `${JSON.stringify(frame)}\u001e`;
    linter.check(Buffer.from(text), false);
  }
  return linter.faults;
}

describe('HubWireLinter (contract/hub.md#protocol)', () => {
  it('finds nothing wrong with a plain conversation', () => {
    const event = { type: 1, target: 'TextDelta', arguments: [{ text: 'hi' }] };
    const item = { type: 2, invocationId: '1', item: null };
    const completion = { type: 3, invocationId: '1', result: null };
    expect(faultsOf({}, event, item, completion, { type: 6 }, { type: 7, allowReconnect: true })).toEqual([]);
  });

  it('takes a socket that goes on with an earlier one', () => {
    const event = { type: 1, target: 'TextDelta', arguments: [{ text: 'hi' }] };
    expect(faultsOf({ type: 9, sequenceId: 3 }, event, { type: 8, sequenceId: 1 }, { type: 6 })).toEqual([]);
  });

  it.each([
    ['a Sequence that is not the first', [{}, { type: 9, sequenceId: 1 }]],
    [
      'a second Sequence',
      [
        { type: 9, sequenceId: 1 },
        { type: 9, sequenceId: 1 },
      ],
    ],
    ['a Sequence without a number', [{ type: 9 }]],
    ['an Ack of nothing', [{}, { type: 8, sequenceId: 0 }]],
    ['an Ack that carries more', [{}, { type: 8, sequenceId: 1, error: 'no' }]],
    ['a message before the handshake', [{ type: 6 }]],
    ['a record that is not whole', ['{}\u001e{"type":6}']],
    ['an event without an argument', [{}, { type: 1, target: 'Event', arguments: [] }]],
    ['an event with two arguments', [{}, { type: 1, target: 'Event', arguments: [{}, {}] }]],
    ['an event whose argument is no object', [{}, { type: 1, target: 'Event', arguments: ['text'] }]],
    ['an event that is not PascalCase', [{}, { type: 1, target: 'event', arguments: [{}] }]],
    ['a numeric id', [{}, { type: 3, invocationId: 1, result: null }]],
    ['a result with an error', [{}, { type: 3, invocationId: '1', result: null, error: 'no' }]],
    ['an empty error', [{}, { type: 3, invocationId: '1', error: '' }]],
    ['a stream item without an item', [{}, { type: 2, invocationId: '1' }]],
    ['a type of clients', [{}, { type: 5, invocationId: '1' }]],
    ['anything after Close', [{}, { type: 7 }, { type: 6 }]],
    ['anything after a refused handshake', [{ error: 'no' }, { type: 6 }]],
  ])('finds %s', (_title, frames) => {
    expect(faultsOf(...frames)).toHaveLength(1);
  });

  it('finds a binary frame', () => {
    const linter = new HubWireLinter();
    linter.check(Buffer.from('{}\u001e'), true);
    expect(linter.faults).toHaveLength(1);
  });

  it.each([
    ['a ping', [6], 0],
    ['an event', [1, {}, null, 'Event', [{}], []], 0],
    ['a result', [3, {}, '1', 3, null], 0],
    ['a Close', [7, null, true], 0],
    ['an Ack', [8, 5], 0],
    ['an Ack without a number', [8], 1],
    ['an Ack with two numbers', [8, 5, 6], 1],
    ['an event with two arguments', [1, {}, null, 'Event', [{}, {}], []], 1],
    ['a numeric id', [3, {}, 1, 2], 1],
    ['a result and an error', [3, {}, '1', 3, 1, 'no'], 1],
    ['a stream item without an item', [2, {}, '1'], 1],
  ])('reads MessagePack: %s', (_title, message, faults) => {
    const linter = new HubWireLinter('messagepack');
    linter.check(Buffer.from('{}\u001e'), true);
    linter.check(withLength(encode(message)), true);
    expect(linter.faults).toHaveLength(faults);
  });

  it('takes a MessagePack socket that begins with a Sequence', () => {
    const linter = new HubWireLinter('messagepack');
    linter.check(withLength(encode([9, 3])), true);
    linter.check(withLength(encode([6])), true);
    expect(linter.faults).toEqual([]);
  });
});
