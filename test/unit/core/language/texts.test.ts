import { describe, expect, it } from 'vitest';
import { errorText, textsByLanguage } from '../../../../src/core/language/texts.ts';
import { languages } from '../../../../src/wire/client-settings.ts';

const flat = (language: (typeof languages)[number]): readonly [string, string][] => {
  const { errors, argumentRules, hostedTools, honesty, unreadable, leftOut, ...rest } = textsByLanguage[language];
  const { statuses, ...sentences } = honesty;
  return [errors, argumentRules, hostedTools, statuses, sentences, unreadable, leftOut, rest].flatMap((texts) =>
    Object.entries(texts),
  );
};

describe('what the server says to users (contract/assistant.md#language)', () => {
  // proves service-2.3-05, wire-8-02, wire-8-07, wire-8-08, wire-8-83
  it.each(languages)('is there in %s, with the same placeholders as in English', (language) => {
    const english = new Map(flat('English'));
    for (const [key, text] of flat(language)) {
      expect(text.trim(), key).not.toBe('');
      expect(text.match(/\{\w+\}/g), key).toEqual(english.get(key)?.match(/\{\w+\}/g) ?? null);
      if (language !== 'English') expect(text, key).not.toBe(english.get(key));
    }
  });

  it('fills in values', () => {
    expect(errorText(textsByLanguage.English, 'message_too_long', { max: '4000' })).toContain(
      'at most 4000 characters',
    );
  });
});
