import { describe, expect, it } from 'vitest';
import { ToolCallAssembler, type ToolCallFragment } from '../../../../src/adapters/models/tool-call-assembler.ts';

function assembled(...fragments: readonly ToolCallFragment[]): readonly (readonly [string, string, string])[] {
  const assembler = new ToolCallAssembler();
  for (const fragment of fragments) assembler.add(fragment);
  return assembler.calls().map(({ id, name, arguments: text }) => [id, name, text] as const);
}

describe('ToolCallAssembler (docs/architecture.md)', () => {
  it('joins pieces by their index, also when parallel calls are mixed', () => {
    const calls = assembled(
      { index: 0, id: 'a', name: 'one', arguments: '' },
      { index: 1, id: 'b', name: 'two', arguments: '{' },
      { index: 0, arguments: '{"x":' },
      { index: 1, arguments: '}' },
      { index: 0, arguments: '1}' },
    );
    expect(calls).toEqual([
      ['a', 'one', '{"x":1}'],
      ['b', 'two', '{}'],
    ]);
  });

  it('takes whole calls without an index', () => {
    const calls = assembled({ id: 'a', name: 'one', arguments: '{}' }, { id: 'b', name: 'one', arguments: '{"x":2}' });
    expect(calls).toEqual([
      ['a', 'one', '{}'],
      ['b', 'one', '{"x":2}'],
    ]);
  });

  it('takes pieces without an index for the call that is open', () => {
    expect(assembled({ id: 'a', name: 'one' }, { arguments: '{"x"' }, { arguments: ':1}' })).toEqual([
      ['a', 'one', '{"x":1}'],
    ]);
  });

  it('takes two calls with the same index apart by id and name', () => {
    const calls = assembled(
      { index: 0, id: 'a', name: 'one', arguments: '{}' },
      { index: 0, id: 'b', name: 'one', arguments: '{}' },
    );
    expect(calls.map(([id]) => id)).toEqual(['a', 'b']);
  });

  it('takes whole calls with the same index apart when they have no ids', () => {
    const calls = assembled(
      { index: 0, name: 'one', arguments: '{"x":1}' },
      { index: 0, name: 'one', arguments: '{"x":2}' },
      { index: 0, name: 'two', arguments: '{}' },
      { index: 0, name: 'two', arguments: '' },
    );
    expect(calls.map(([, name, text]) => [name, text])).toEqual([
      ['one', '{"x":1}'],
      ['one', '{"x":2}'],
      ['two', '{}'],
    ]);
  });

  // proves configuration-3-96
  it.each([0, undefined])('takes whole calls apart that have one id and the index %s', (index) => {
    const calls = assembled(
      { index, id: 'call', name: 'one', arguments: '{"x":1}' },
      { index, id: 'call', name: 'one', arguments: '{"x":2}' },
    );
    expect(calls.map(([, name, text]) => [name, text])).toEqual([
      ['one', '{"x":1}'],
      ['one', '{"x":2}'],
    ]);
    const pieces = [
      { index, id: 'call', name: 'one', arguments: '{"x":' },
      { index, id: 'call', name: 'one', arguments: '1}' },
    ];
    expect(assembled(...pieces)).toEqual([['call', 'one', '{"x":1}']]);
  });

  it('is bounded: no reply has more than 128 calls', () => {
    const fragments = Array.from({ length: 129 }, (_fragment, index) => ({ index, name: 'one', arguments: '{}' }));
    expect(assembled(...fragments.slice(1))).toHaveLength(128);
    expect(() => assembled(...fragments)).toThrow('the model made more than 128 tool calls in one reply');
  });

  it('keeps the first id when a server makes a new one for every piece', () => {
    expect(assembled({ index: 0, id: 'a', name: 'one' }, { index: 0, id: 'x', arguments: '{}' })).toEqual([
      ['a', 'one', '{}'],
    ]);
  });

  it('does not double a name that every piece repeats, and joins one that comes in pieces', () => {
    const repeated = assembled({ index: 0, id: 'a', name: 'one' }, { index: 0, name: 'one', arguments: '{}' });
    expect(repeated).toEqual([['a', 'one', '{}']]);
    expect(assembled({ index: 0, id: 'a', name: 'get_' }, { index: 0, name: 'order' })[0]?.[1]).toBe('get_order');
  });

  it('gives an id to a call that has none, and drops one that has no name', () => {
    const [call] = assembled({ name: 'one', arguments: '{}' });
    expect(call?.[0]).toMatch(/^call_[\w-]{22}$/);
    expect(assembled({ index: 0, id: 'a', arguments: '{}' })).toEqual([]);
  });
});
