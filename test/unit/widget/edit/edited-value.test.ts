import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { draftOf, kindOf, readDraft } from '../../../../src/widget/edit/edited-value.ts';

/** What a browser makes of a text in a field. */
const inField = (text: string): string => text.replace(/\r\n?/g, '\n');

describe('a value that the user may change (contract/confirmations.md#answering: `value` is the raw JSON value)', () => {
  it('has a field of its kind, and JSON for what has none', () => {
    expect(['', 0, false, null, [], {}].map(kindOf)).toEqual(['text', 'number', 'boolean', 'json', 'json', 'json']);
  });

  it('is the same to the letter as long as nothing was changed, whatever it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const read = readDraft(value, inField(draftOf(value)));
        expect(read).toStrictEqual({ value, isChanged: false });
      }),
    );
  });

  it.each([
    ['a text', 'a', 'b', 'b'],
    ['a text of markup', 'a', '<b>', '<b>'],
    ['an emptied text', 'a', '', ''],
    ['a text that looks like a number', '1', '2', '2'],
    ['a number', 1, '2.5', 2.5],
    ['a large number', 1, '1e+21', 1e21],
    ['a list', [1], '[1, 2]', [1, 2]],
    ['nothing', null, '{"a": 1}', { a: 1 }],
    ['a value by one of another kind', [1], 'null', null],
    ['the first line of a text', 'a\r\nb', 'A\nb', 'A\nb'],
  ])('%s that was changed is what was written', (_title, original, draft, value) => {
    expect(readDraft(original, draft)).toStrictEqual({ value, isChanged: true });
  });

  it('a name that every object has is a name like any other', () => {
    const read = readDraft({}, '{"__proto__": {"admin": true}, "constructor": 1}');
    expect(JSON.stringify(read)).toBe('{"value":{"__proto__":{"admin":true},"constructor":1},"isChanged":true}');
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it.each([
    ['', 'notANumber'],
    ['abc', 'notANumber'],
    ['"5"', 'notANumber'],
    ['null', 'notANumber'],
  ])('%o is no number', (draft, fault) => {
    expect(readDraft(5, draft)).toEqual({ fault });
  });

  it.each(['', '{', "{'a': 1}", 'undefined', '[1,]'])('%o is no JSON', (draft) => {
    expect(readDraft([1], draft)).toEqual({ fault: 'notJson' });
  });
});
