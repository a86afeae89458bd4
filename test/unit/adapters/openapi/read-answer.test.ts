import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { valueOfAnswer, wordsOfRefusal } from '../../../../src/adapters/openapi/calls/read-answer.ts';

const answer = (text: string, type = 'application/json') => ({ status: 200, type, text });

describe('the answer of an API (contract/openapi.md#calls)', () => {
  // proves extending-3-48
  it('keeps every digit of a number, because another number would be another record', () => {
    const text = '{"id":12345678901234567890,"list":[9007199254740993,7,1.5,1e300],"text":"12345678901234567890"}';
    expect(valueOfAnswer(answer(text))).toEqual({
      id: '12345678901234567890',
      list: ['9007199254740993', 7, 1.5, '1e300'],
      text: '12345678901234567890',
    });
  });

  // proves extending-3-48
  it('keeps everything else as it is, also texts that look like numbers or end in a backslash', () => {
    const told = '"long":12345678901234567';
    fc.assert(
      fc.property(fc.json(), fc.string(), (json, text) => {
        const answered = `{${told}, "json":${json},"text":${JSON.stringify(`${text}\\`)}}`;
        const exact = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
          Number.isInteger(value) && !Number.isSafeInteger(value) ? context?.source : value;
        expect(valueOfAnswer(answer(answered))).toStrictEqual(JSON.parse(answered, exact));
      }),
    );
  });

  it('is text where it only claims to be JSON', () => {
    expect(valueOfAnswer(answer('{"id":'))).toBe('{"id":');
  });

  it.each([
    ['problem details', { type: 'about:blank', title: 'Conflict', detail: 'It was sent.' }, 'It was sent.'],
    ['only a title', { title: 'Conflict' }, 'Conflict'],
    ['an error in an object', { error: { code: 7, message: 'Too late.' } }, 'Too late.'],
    [
      'a list of faults',
      { detail: [{ loc: ['body'], ['msg']: 'a is missing' }, { ['msg']: 'b is wrong' }] },
      'a is missing; b is wrong',
    ],
    ['many lines', { message: 'one\ntwo\u2028three' }, 'one two three'],
    ['no words', { status: 4 }, ''],
    ['a text', 'Sorry.', 'Sorry.'],
  ])('that refuses says in one line what is wrong: %s', (_what, body, words) => {
    expect(wordsOfRefusal(answer(JSON.stringify(body)))).toBe(words);
  });

  it('that refuses with a page says nothing, and with many words few', () => {
    expect(wordsOfRefusal(answer('<h1>Error at line 7</h1>', 'text/html'))).toBe('');
    expect(wordsOfRefusal(answer(JSON.stringify({ message: 'x'.repeat(5000) })))).toHaveLength(300);
  });
});
