import { it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { walkBeside } from '../support/extras-walk.ts';
import { letExpire, type Look, walkThrough } from '../support/looks-walk.ts';
import { casesOf, isLong } from '../support/run/tier.ts';

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const narrow = { ...phone, viewport: { width: 360, height: 740 } };
const small = { viewport: { width: 320, height: 568 }, hasTouch: true, isMobile: true };
const dark = { colorScheme: 'dark' } as const;
const auto = { theme: 'Auto' };

const looks: readonly Look[] = [
  { name: 'desktop' },
  { name: 'desktop-dark', page: dark, settings: auto },
  { name: 'desktop-minimal', settings: { theme: 'Minimal' } },
  { name: 'desktop-custom', settings: { theme: 'Custom' } },
  { name: 'desktop-forced', page: { forcedColors: 'active' } },
  { name: 'desktop-still', page: { reducedMotion: 'reduce' } },
  { name: 'phone', page: phone },
  { name: 'phone-dark', page: { ...phone, ...dark }, settings: auto },
  { name: 'phone-forced', page: { ...phone, forcedColors: 'active' } },
  { name: 'small', page: small },
  { name: 'small-dark', page: { ...small, ...dark }, settings: auto },
  { name: 'desktop-german', settings: { language: 'German' } },
  { name: 'narrow-german', page: narrow, settings: { language: 'German' } },
  { name: 'narrow-japanese-dark', page: { ...narrow, ...dark }, settings: { ...auto, language: 'Japanese' } },
  { name: 'small-japanese', page: small, settings: { language: 'Japanese' } },
  { name: 'low', page: { viewport: { width: 640, height: 360 } } },
  { name: 'low-german', page: { viewport: { width: 320, height: 256 } }, settings: { language: 'German' } },
  { name: 'small-forced-dark', page: { ...small, ...dark, forcedColors: 'active' }, settings: auto },
  { name: 'narrow-rtl', page: narrow, html: 'lang="ar" dir="rtl"' },
];

describeInBrowser('a whole conversation, on every screen and in all colours (contract/widget.md#looks)', (pages) => {
  const isShort = ({ name }: Look): boolean => ['desktop', 'phone-dark', 'narrow-german'].includes(name);
  it.each(casesOf('conversations in the browser, by screen and colours', looks, isShort))('$name', (look) =>
    walkThrough(pages, look),
  );

  // The short run plays each of these states by itself, in the file of its subject.
  it.runIf(isLong).each(looks)('what stands beside a conversation: $name', (look) => walkBeside(pages, look));

  const expiring = looks.filter(({ name }) => ['desktop', 'desktop-forced', 'phone-dark'].includes(name));
  it.each(casesOf('questions in the browser whose time is over', expiring, ({ name }) => name === 'phone-dark'))(
    'a question whose time is over (contract/confirmations.md): $name',
    (look) => letExpire(pages, look),
  );
});
