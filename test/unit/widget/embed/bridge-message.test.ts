import { describe, expect, it } from 'vitest';
import { longestMessage, readMessage } from '../../../../src/widget/embed/bridge-message.ts';

const round: Record<string, unknown> = { v: 1, type: 'send' };
round['payload'] = round;

describe('messages of the bridge (contract/embed.md)', () => {
  it.each([
    ['an object', { v: 1, type: 'open' }],
    ['its JSON text', '{"v":1,"type":"open"}'],
    ['one with what nobody knows', { v: 1, type: 'open', more: true }],
  ])('%s is read', (_title, data) => {
    expect(readMessage(data)).toEqual({ v: 1, type: 'open', payload: {} });
  });

  it('keeps id and payload', () => {
    const message = { v: 1, id: 'h1', type: 'getToken', payload: { token: 'a.b.c' } };
    expect(readMessage(message)).toEqual(message);
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a number', 1],
    ['a text that is no JSON', '{"v":1'],
    ['a list', [{ v: 1, type: 'open' }]],
    ['another version', { v: 2, type: 'open' }],
    ['a version as text', { v: '1', type: 'open' }],
    ['no type', { v: 1 }],
    ['an empty type', { v: 1, type: '' }],
    ['a long type', { v: 1, type: 'x'.repeat(101) }],
    ['a number as id', { v: 1, id: 1, type: 'open' }],
    ['a list as payload', { v: 1, type: 'open', payload: [] }],
    ['a text as payload', { v: 1, type: 'open', payload: 'x' }],
    ['a ring', round],
    ['more than it may hold', { v: 1, type: 'send', payload: { text: 'x'.repeat(longestMessage) } }],
    ['a text that is too long', ' '.repeat(longestMessage) + '{"v":1,"type":"open"}'],
  ])('%s is ignored', (_title, data) => {
    expect(readMessage(data)).toBeNull();
  });
});
