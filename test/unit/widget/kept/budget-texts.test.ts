import { describe, expect, it } from 'vitest';
import { budgetTexts } from '../../../../src/widget/kept/budget-texts.ts';
import { languageTags } from '../../../../src/wire/client-settings.ts';

const placeholders = (texts: object): string[][] =>
  Object.values<string>({ ...texts }).map((text) => text.match(/\{\w+\}/g) ?? []);

describe('the texts of the remaining budget (contract/assistant.md#language: ten languages)', () => {
  const english = budgetTexts('en');

  it.each(Object.entries(languageTags).filter(([language]) => language !== 'English'))(
    '%s has every text in words of its own, with the same placeholders',
    (_language, tag) => {
      const texts = budgetTexts(tag);
      expect(Object.keys(texts)).toEqual(Object.keys(english));
      expect(placeholders(texts)).toEqual(placeholders(english));
      expect(
        Object.values<string>({ ...texts }).filter((text) => Object.values<string>({ ...english }).includes(text)),
      ).toEqual([]);
    },
  );
});
