import { it } from 'vitest';
import { languages, positions } from '../../src/wire/client-settings.ts';
import { describeInBrowser } from '../support/browser.ts';
import { type Look, walkThrough } from '../support/looks-walk.ts';
import { casesOf } from '../support/run/tier.ts';

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const rightToLeft = 'lang="ar" dir="rtl"';

const looks: readonly Look[] = [
  ...positions.slice(1).map((position): Look => ({ name: position, settings: { position } })),
  // Long words of the languages are most likely to be cut off on the narrowest screen.
  ...languages.slice(1).map((language): Look => ({
    name: language,
    page: { viewport: { width: 320, height: 700 } },
    settings: { language },
  })),
  { name: 'right-to-left', html: rightToLeft },
  { name: 'right-to-left-phone', html: rightToLeft, page: phone },
  { name: 'right-to-left-side', html: rightToLeft, settings: { position: 'SideLeft' } },
];

describeInBrowser('a whole conversation, in every corner and every language (contract/widget.md#looks)', (pages) => {
  const isShort = ({ name }: Look): boolean => ['German', 'right-to-left-phone'].includes(name);
  it.each(casesOf('conversations in the browser, by corner and language', looks, isShort))('$name', (look) =>
    walkThrough(pages, look),
  );
});
