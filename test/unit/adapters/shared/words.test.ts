import { describe, expect, it } from 'vitest';
import { questionTerms } from '../../../../src/adapters/shared/words/question-terms.ts';
import { stopWordsOf } from '../../../../src/adapters/shared/words/stop-words.ts';
import { tokensOf, wordsOf } from '../../../../src/adapters/shared/words/words.ts';

describe('the tokens of a text (contract/document-folders.md#scores)', () => {
  it('are the same whether a text is plain or not', () => {
    const all = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
    for (const one of all) {
      const text = all.map((other) => `Re${one}${other}Send`).join(' ');
      expect([...wordsOf(text)], JSON.stringify(one)).toEqual([...wordsOf(`${text} ł`)].slice(0, -1));
    }
  });

  it.each([
    ['English words are their stems', 'Returned parcels, returning!', 'en', 'return parcel return'],
    ['German words lose their endings and their marks', 'Rückgaben der Größe', 'de', 'ruckgab der gross'],
    ['French elisions are words of their own', 'L’échange d’articles', 'fr', 'l echang d articl'],
    ['Polish words are cut to five letters', 'zamówienia żółty', 'pl', 'zamow zolty'],
    ['words of an unknown language stay whole', 'Ĝis revido', 'eo', 'gis revido'],
    ['Chinese is pairs of characters', '如何退货', 'zh', '如何 何退 退货'],
    ['Japanese is pairs of characters, and one alone stays', '返品 の', 'ja', '返品 の'],
    ['Thai is pairs without its marks', 'คืนสินค้า', 'th', 'คน นส สน นค คา'],
    ['Korean is pairs', '환불 방법', 'ko', '환불 방법'],
    ['wide and narrow letters are the same', 'ＡＢＣ １２', 'en', 'abc 12'],
    ['languages may stand side by side', 'USB充電器', 'ja', 'usb 充電 電器'],
    ['signs are no words', '— $ "* ( )', 'en', ''],
  ])('%s', (_title, text, language, tokens) => {
    expect(tokensOf(text, language).join(' ')).toBe(tokens);
  });

  it('are cut where a word is longer than any language has', () => {
    expect(tokensOf('x'.repeat(100_000), 'en')).toEqual(['x'.repeat(64)]);
  });
});

describe('the terms of a question (contract/document-folders.md#scores)', () => {
  const variants = (question: string, languages: readonly string[]) =>
    questionTerms(question, languages).map((term) => term.variants.join('|'));

  it.each([
    ['leave stop words out', 'How can I return the parcels?', ['en'], ['return', 'parcel']],
    ['keep them when nothing else is there', 'What is it?', ['en'], ['what', 'is', 'it']],
    ['are each there once', 'parcel parcels parcel', ['en'], ['parcel']],
    [
      'are in the language whose stop words they have',
      'Wie kann ich die Bestellungen ändern?',
      ['en', 'de'],
      ['bestell', 'and'],
    ],
    ['are in all languages that it may be in', 'Bestellungen', ['en', 'de'], ['bestellungen|bestell']],
    ['are there for documents of an unknown language', 'parcels', [''], ['parcels']],
    ['are there for an empty index', 'parcels', [], ['parcels']],
  ])('%s', (_title, question, languages, expected) => {
    expect(variants(question, languages)).toEqual(expected);
  });

  it('are at most 64, however long the question is', () => {
    const question = Array.from({ length: 5_000 }, (_, index) => `w${String(index)}`).join(' ');
    expect(questionTerms(question, ['en'])).toHaveLength(64);
  });

  it('tell pairs of characters from words', () => {
    expect(questionTerms('USB充電', ['ja']).map(({ isPair }) => isPair)).toEqual([false, true]);
  });

  it.each(['de', 'en', 'es', 'fr', 'it', 'nl', 'pl', 'pt'])('have a list of stop words in %s', (language) => {
    expect(stopWordsOf(language).size).toBeGreaterThan(50);
  });
});
