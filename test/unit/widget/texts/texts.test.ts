import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { launcherTexts } from '../../../../src/widget/loader/launcher-texts.ts';
import { texts as chinese } from '../../../../src/widget/texts/chinese.ts';
import { texts as dutch } from '../../../../src/widget/texts/dutch.ts';
import { texts as english } from '../../../../src/widget/texts/english.ts';
import { texts as french } from '../../../../src/widget/texts/french.ts';
import { texts as german } from '../../../../src/widget/texts/german.ts';
import { texts as italian } from '../../../../src/widget/texts/italian.ts';
import { texts as japanese } from '../../../../src/widget/texts/japanese.ts';
import { texts as polish } from '../../../../src/widget/texts/polish.ts';
import { texts as portuguese } from '../../../../src/widget/texts/portuguese.ts';
import { texts as spanish } from '../../../../src/widget/texts/spanish.ts';
import { fillCounted } from '../../../../src/widget/texts/fill-counted.ts';
import { fill } from '../../../../src/widget/texts/widget-texts.ts';
import { languages } from '../../../../src/wire/client-settings.ts';

const all = {
  English: english,
  Italian: italian,
  French: french,
  German: german,
  Spanish: spanish,
  Portuguese: portuguese,
  Dutch: dutch,
  Polish: polish,
  Japanese: japanese,
  Chinese: chinese,
};
const source = join(import.meta.dirname, '../../../../src/widget');

/** Keys and texts of one language; `action.failed` stands in its group. */
const entriesOf = (texts: object): [string, string][] =>
  Object.entries<string | object>({ ...texts }).flatMap(([key, text]) =>
    typeof text === 'string'
      ? [[key, text]]
      : entriesOf(text).map(([inner, word]): [string, string] => [`${key}.${inner}`, word]),
  );

const placeholders = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();

describe('the texts of the widget (contract/assistant.md#language: ten languages)', () => {
  // proves service-2.3-06
  it('there are as many as languages, each with its own tag', () => {
    expect(Object.keys(all)).toEqual(languages);
    expect(new Set(Object.values(all).map(({ locale }) => locale)).size).toBe(languages.length);
    for (const { locale } of Object.values(all)) expect(Intl.getCanonicalLocales(locale)).toEqual([locale]);
  });

  // proves service-2.3-06
  it.each(Object.entries(all))('%s has every text, with the same placeholders as English', (_language, texts) => {
    expect(Object.keys(texts)).toEqual(Object.keys(english));
    const expected = Object.fromEntries(entriesOf(english).map(([key, text]) => [key, placeholders(text)]));
    expect(Object.fromEntries(entriesOf(texts).map(([key, text]) => [key, placeholders(text)]))).toEqual(expected);
    expect(entriesOf(texts).filter(([, text]) => text === '' || text !== text.trim())).toEqual([]);
  });

  // proves service-2.3-06
  it.each(Object.entries(all).filter(([language]) => language !== 'English'))(
    '%s has no English left in it',
    (_language, texts) => {
      const originals = new Map(entriesOf(english));
      const same = entriesOf(texts).filter(([key, text]) => text.length > 12 && originals.get(key) === text);
      expect(same).toEqual([]);
    },
  );

  it('there are no texts that nobody shows', () => {
    const files = ['panel', 'beside', 'cards', 'conversation', 'edit', 'files', 'images', 'tour', 'voice']
      .flatMap((folder) => folderText(folder))
      .join('\n');
    const unused = Object.keys(english).filter((key) => !new RegExp(`\\b${key}\\b`).test(files));
    expect(unused).toEqual([]);
  });

  it('the launcher speaks every language before any text is loaded', () => {
    for (const language of languages) expect(launcherTexts[language]).toBe(all[language].openChat);
  });

  it('placeholders are filled, unknown ones stay', () => {
    expect(fill('{a} and {b} and {a}', { a: 1 })).toBe('1 and {b} and 1');
  });
});

describe('words that go with a number (Intl.PluralRules)', () => {
  it.each<[keyof typeof all, readonly string[]]>([
    ['English', ['words', 'word', 'words', 'words', 'words', 'words']],
    ['Italian', ['parole', 'parola', 'parole', 'parole', 'parole', 'parole']],
    ['French', ['mot', 'mot', 'mots', 'mots', 'mots', 'mots']],
    ['German', ['Wörter', 'Wort', 'Wörter', 'Wörter', 'Wörter', 'Wörter']],
    ['Spanish', ['palabras', 'palabra', 'palabras', 'palabras', 'palabras', 'palabras']],
    ['Portuguese', ['palavra', 'palavra', 'palavras', 'palavras', 'palavras', 'palavras']],
    ['Dutch', ['woorden', 'woord', 'woorden', 'woorden', 'woorden', 'woorden']],
    ['Polish', ['słów', 'słowo', 'słowa', 'słów', 'słów', 'słowa']],
    ['Japanese', ['語', '語', '語', '語', '語', '語']],
    ['Chinese', ['个词', '个词', '个词', '个词', '个词', '个词']],
  ])('%s counts 0, 1, 2, 5, 21 and 22 words', (language, words) => {
    const { longReply, locale } = all[language];
    const shown = [0, 1, 2, 5, 21, 22].map(
      (count) => /\d+ ?(.*)$/.exec(fillCounted(longReply, { count }, locale))?.[0],
    );
    const space = /\{count\} /.test(longReply) ? ' ' : '';
    expect(shown).toEqual([0, 1, 2, 5, 21, 22].map((count, index) => `${String(count)}${space}${words[index] ?? ''}`));
  });

  it.each(Object.entries(all))('%s has as many forms of each word as it needs', (_language, texts) => {
    const needed = new Intl.PluralRules(texts.locale).resolvedOptions().pluralCategories;
    // "many" of the Romance languages is for whole millions, and of Polish what "other" is for fractions.
    const forms = needed.filter((category) => category !== 'many').length;
    for (const [key, text] of entriesOf(texts)) {
      for (const [, words = ''] of text.matchAll(/\{\w+\|(.*?)\}/g))
        expect([key, words.split('|').length]).toEqual([key, forms]);
    }
  });
});

function folderText(folder: string): string[] {
  return readdirSync(join(source, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));
}
