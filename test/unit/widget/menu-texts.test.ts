import { describe, expect, it } from 'vitest';
import { menuTexts } from '../../../src/widget/menu/menu-texts.ts';
import { languageTags } from '../../../src/wire/client-settings.ts';

const wordsOf = (tag: string): string[] =>
  Object.values(menuTexts(tag)).flatMap((text: string | Record<string, string>) =>
    typeof text === 'string' ? [text] : Object.values(text),
  );
/** Words that six of the languages have from English. */
const borrowed = ['Chat'];
const placeholders = (tag: string): string[] =>
  wordsOf(tag).map((text) => (text.match(/\{\w+\}/g) ?? []).sort().join());

describe('the texts of what stands behind the assistant (contract/assistant.md#language: ten languages)', () => {
  it.each(Object.entries(languageTags).filter(([language]) => language !== 'English'))(
    '%s has every text in words of its own, with the same placeholders',
    (_language, tag) => {
      expect(placeholders(tag)).toEqual(placeholders('en'));
      const own = wordsOf(tag).filter((text) => !borrowed.includes(text));
      expect(own.filter((text) => wordsOf('en').includes(text))).toEqual([]);
    },
  );
});
