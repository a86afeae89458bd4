import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WordForWord } from '../../../../src/core/provenance/word-for-word.ts';

const standsIn = (value: string, texts: readonly string[]): boolean => new WordForWord(texts).has(value);

describe('whether a value stands in a text word for word (contract/provenance.md#word-for-word)', () => {
  it.each([
    ['an address', 'bob@example.com', 'Send it to bob@example.com.'],
    // proves service-10-20
    ['another case', 'bob@example.com', 'to Bob@Example.COM please'],
    ['a value in quotes', 'bob@example.com', '{"mail":"bob@example.com"}'],
    // proves service-10-20
    ['words with other white space', 'Bob  Miller', 'ask Bob\nMiller'],
    ['a number', '42', 'case 42, please'],
    ['a number at the end of a sentence', '42', 'It is case 42.'],
    ['a decimal number', '12.5', 'pay 12.5 now'],
    ['a decimal number with a comma', '12,5', 'zahle 12,5 jetzt'],
    ['a number in a list', '42', 'cases 41, 42, 43'],
    ['an address in single quotes', 'bob@example.com', "to 'bob@example.com'"],
    // proves service-10-22
    ['an account without its groups', 'DE89370400440532013000', 'to DE89 3704 0044 0532 0130 00'],
    ['an account with other groups', 'DE89 3704 0044 0532 0130 00', 'to DE89370400440532013000'],
    // proves service-10-22
    ['a telephone number', '+491701234567', 'call +49 (170) 123-4567'],
    // proves service-10-20
    ['letters of full width', 'ABC', 'to ＡＢＣ'],
    // proves service-10-21
    ['kana of half width', 'ｶﾞｿ', 'to ガソ'],
    ['a letter with its mark apart', 'jose\u0301', 'to José'],
    ['a letter of Hindi with its mark apart', '\u091c\u093c\u092b\u0930', 'to \u095b\u092b\u0930'],
    ['a letter of Hindi with its mark in one', '\u095b\u092b\u0930', 'to \u091c\u093c\u092b\u0930'],
    ['the letters of a Korean syllable apart', '김철수', `to ${'김철수'.normalize('NFD')} now`],
    ['an address in Chinese', 'bob@example.com', '请发给bob@example.com谢谢'],
    ['a name in Chinese', '张伟', '请转给张伟五百元'],
    ['an address in Korean', 'bob@example.com', 'bob@example.com에게 보내줘'],
    ['an address in Thai', 'bob@example.com', 'ส่งไปที่bob@example.comนะ'],
    ['a single digit', '7', 'number 7'],
  ])('finds %s', (_title, value, text) => {
    expect(standsIn(value, ['nothing', text])).toBe(true);
  });

  it.each([
    // proves service-10-21
    ['a part of an address', 'ann@example.com', 'to joann@example.com'],
    ['the beginning of an address', 'bob@example.co', 'to bob@example.com'],
    ['the domain of an address', 'example.com', 'to bob@example.com'],
    ['an address that goes on', 'bob@example.com', 'bob@example.com.evil.test'],
    ['an address with something before', 'bob@example.com', 'not.bob@example.com'],
    // proves service-10-21
    ['a part of a number', '42', 'case 1042'],
    ['the whole part of a decimal number', '12', 'pay 12.5'],
    ['the end of a decimal number', '5', 'pay 12.5'],
    ['the whole part of a number with a decimal comma', '12', 'zahle 12,5'],
    ['the end of a number with a decimal comma', '50', 'zahle 12,50'],
    ['the first group of a number', '10', 'pay 10,000'],
    ['the first group of a Swiss number', '10', "zahle 10'000"],
    ['the end of an address with an apostrophe', 'brien@example.com', "to o'brien@example.com"],
    ['the end of an address with another sign', 'b@example.com', 'to a%b@example.com'],
    ['a part of an account', '0532013000', 'to DE89 3704 0044 0532 0130 00'],
    ['another account', 'DE89370400440532013001', 'to DE89 3704 0044 0532 0130 00'],
    // proves service-10-23
    ['a letter within a word', 'a', 'to Ann'],
    // proves service-10-23
    ['a character within a name', '伟', '请转给张伟五百元'],
    ['nothing', '', 'to Ann'],
    ['only space', '  ', 'to  Ann'],
    ['a regular expression', '.*', 'to Ann'],
    ['words in another order', 'Miller Bob', 'Bob Miller'],
  ])('does not find %s', (_title, value, text) => {
    expect(standsIn(value, [text])).toBe(false);
  });

  // proves service-10-20
  it.each([
    ['ᵏim@mail.example', 'kim@mail.example'],
    ['𝐤im@mail.example', 'kim@mail.example'],
    ['\u212aim@mail.example', 'kim@mail.example'],
    ['kim@mail\u2024example', 'kim@mail.example'],
    ['ﬁle@mail.example', 'file@mail.example'],
    ['kim①@mail.example', 'kim1@mail.example'],
    ['123456⁷', '1234567'],
    ['@user²', '@user2'],
    ['℀', 'a/c'],
    ['\u212bke@mail.example', 'åke@mail.example'],
    ['kim@mail.example\u037e', 'kim@mail.example;'],
    ['\u1fbe@mail.example', 'ι@mail.example'],
    ['豈@mail.example', '\uf900@mail.example'],
  ])('does not find %s, which other programs may read as %s', (value, text) => {
    expect(standsIn(value, [text])).toBe(false);
  });

  it('finds any value of more than one character that stands between spaces, whatever it is made of', () => {
    const texts = fc.string({ minLength: 2, unit: 'binary' }).filter((text) => Array.from(text.trim()).length > 1);
    fc.assert(
      fc.property(texts, fc.array(fc.constantFrom('to', 'and', '17')), (value, words) => {
        expect(standsIn(value, [[...words, value, ...words].join(' ; ')])).toBe(true);
      }),
    );
  });

  it('is quick with long texts and hostile values', () => {
    const texts = new WordForWord(['1 '.repeat(100_000), 'a '.repeat(100_000), '1'.repeat(200_000)]);
    const values = [
      '1 '.repeat(150),
      `${'a '.repeat(149)}b`,
      `${'a '.repeat(149)}a`,
      '1'.repeat(300),
      '1 '.repeat(200_000),
    ];
    const began = process.cpuUsage().user;
    for (const value of values) texts.has(value);
    // Microseconds of this process alone, whatever else the machine does.
    expect(process.cpuUsage().user - began).toBeLessThan(2_000_000);
  });

  // proves service-10-19
  it('looks at the first 1,000 places of a text', () => {
    expect(standsIn('42', [`${'142 '.repeat(999)}42`])).toBe(true);
    expect(standsIn('42', [`${'142 '.repeat(1_000)}42`])).toBe(false);
  });

  // proves service-10-19
  it('looks for no value of more than 300 characters', () => {
    const [longest, longer] = ['x'.repeat(300), 'x'.repeat(301)];
    expect(standsIn(longest, [longest])).toBe(true);
    expect(standsIn(longer, [longer])).toBe(false);
  });
});
