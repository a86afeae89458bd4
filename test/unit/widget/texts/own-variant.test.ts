import { afterEach, expect, it, vi } from 'vitest';
import { ownVariant } from '../../../../src/widget/texts/own-variant.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

it.each([
  ['en', ['en-GB', 'en'], 'en-GB'],
  ['en', ['fr', 'en-IE', 'en-US'], 'en-IE'],
  ['de', ['en-GB'], 'de'],
  ['zh-Hans', ['zh-TW', 'zh-CN'], 'zh-CN'],
  ['zh-Hans', ['zh-HK'], 'zh-Hans'],
  ['en', ['en-US@posix', 'en-AU'], 'en-AU'],
  ['pl', [], 'pl'],
])('%s of somebody whose languages are %j is %s', (locale, languages, variant) => {
  vi.stubGlobal('navigator', { languages });
  expect(ownVariant(locale)).toBe(variant);
});
