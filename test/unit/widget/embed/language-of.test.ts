import { describe, expect, it } from 'vitest';
import { languageOf } from '../../../../src/widget/embed/language-of.ts';

describe('the language of a host’s locale (contract/embed.md, `setLocale`)', () => {
  it.each([
    ['it', 'Italian'],
    ['it-IT', 'Italian'],
    ['pt_BR', 'Portuguese'],
    ['ZH-hans-CN', 'Chinese'],
    ['German', 'German'],
    ['sv-SE', 'sv-SE'],
  ])('%s is %s', (locale, language) => {
    expect(languageOf(locale)).toBe(language);
  });
});
