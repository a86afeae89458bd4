import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { confirmTexts, textsFor } from '../../../../src/channels/confirm/texts/texts-for.ts';
import { visibleHtml } from '../../../../src/channels/confirm/visible-text.ts';
import { escaped } from '../../../../src/channels/shared/own-page.ts';
import { visibleParts } from '../../../../src/widget/conversation/visible-text.ts';
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
import type { WidgetTexts } from '../../../../src/widget/texts/widget-texts.ts';
import { type Language, languages } from '../../../../src/wire/client-settings.ts';

const boxes: Readonly<Record<Language, WidgetTexts>> = {
  Chinese: chinese,
  Dutch: dutch,
  English: english,
  French: french,
  German: german,
  Italian: italian,
  Japanese: japanese,
  Polish: polish,
  Portuguese: portuguese,
  Spanish: spanish,
};

describe('what the page of a question says (contract/mcp-server.md#the-page)', () => {
  it.each(languages)('is worded as the box of the widget, as far as that says it too: %s', (language) => {
    const [page, box] = [confirmTexts[language], boxes[language]];
    const { confirmTitle, irreversible, notFromUser, confirmUntil, approve, decline } = box;
    expect(page).toMatchObject({ confirmTitle, irreversible, notFromUser, confirmUntil, approve, decline });
    expect(page.influenced).toBe(box.reasons.influenced);
    const { basedOn, foreignValues, unknownSource } = box;
    expect(page).toMatchObject({ basedOn, foreignValues, unknownSource });
    // The reader of the page is not on the page that the assistant has read.
    expect({ ...page.origins, page: box.origins['page'] }).toEqual(box.origins);
    expect(page.origins.page).not.toBe(box.origins['page']);
    expect(box.outcome).toMatchObject(page.outcome);
    expect(box.action).toMatchObject(page.ended);
  });

  it('is said in each language in words of its own, with the same places to fill', () => {
    const places = (text: string) => (text.match(/\{\w+\}/g) ?? []).join();
    const flat = languages.map((language) =>
      Object.entries(confirmTexts[language]).filter(([, text]) => typeof text === 'string'),
    );
    for (const texts of flat) {
      expect(texts.map(([name, text]) => [name, places(String(text))])).toEqual(
        flat[0]?.map(([name, text]) => [name, places(String(text))]),
      );
    }
    expect(new Set(languages.map((language) => confirmTexts[language].program)).size).toBe(languages.length);
  });

  // proves wire-7-13
  it.each(['a', ';', ',', 'a;', '\t', ' ;'])('is chosen at once, however long the header is: %j', (piece) => {
    expect(textsFor(`de${' '.repeat(2_000_000)}${piece.repeat(2_000_000)}`, 'English').locale).toBe('de');
  });

  it('shows hidden characters as the box does', () => {
    const texts = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(texts, (text) => {
        const parts = visibleParts(text).map((part) =>
          part.isEscaped ? `<code>${part.text}</code>` : escaped(part.text),
        );
        expect(visibleHtml(text)).toBe(parts.join(''));
      }),
    );
  });

  it.each([
    [undefined, 'it'],
    ['', 'it'],
    ['de', 'de'],
    ['fr;q=0.1, nl;q=0.9', 'nl'],
    ['pl;q=0, ja', 'ja'],
    ['tlh, en-AU', 'en'],
    [';;;,q=,', 'it'],
  ])('chooses the language of %j', (header, locale) => {
    expect(textsFor(header, 'Italian').locale).toBe(locale);
  });
});
