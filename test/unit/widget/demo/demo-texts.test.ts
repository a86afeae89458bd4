import { describe, expect, it } from 'vitest';
import { demoTexts } from '../../../../src/widget/demo/demo-texts.ts';
import { languages, languageTags } from '../../../../src/wire/client-settings.ts';
import { DemoDialogue } from '../../adapters/models/demo/demo-dialogue.ts';

describe('the buttons of the demo page that go to a page (contract/addresses.md#paths)', () => {
  it.each(languages)('are understood in %s', async (language) => {
    const message = demoTexts(languageTags[language]).goTo('All orders');
    expect(await new DemoDialogue({ language }).calls(message)).toEqual([
      { name: 'navigate_to_page', arguments: { page: 'orders' } },
    ]);
  });
});

describe('the texts of the demo page (contract/assistant.md#language)', () => {
  it.each(languages.filter((language) => language !== 'English'))('are translated into %s', (language) => {
    const { goTo, entries, ...texts } = demoTexts(languageTags[language]);
    const english = demoTexts('en');
    // Short words may be the same in both.
    const untranslated = Object.entries(texts).filter(
      ([name, text]) => text.length > 6 && text === english[name as keyof typeof texts],
    );
    expect(untranslated).toEqual([]);
    expect(goTo('X')).not.toBe(english.goTo('X'));
    expect(entries(3, 0)).toContain('3');
  });

  it('say how many of a long list are shown', () => {
    expect(demoTexts('en').entries(1250, 1050)).toBe('Entries: 200 / 1,250');
  });
});
