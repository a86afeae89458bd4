import type { Language } from '../../../core/language/language.ts';
import type { DemoTexts } from './demo-texts.ts';
import { chinese } from './texts/chinese.ts';
import { dutch } from './texts/dutch.ts';
import { english } from './texts/english.ts';
import { french } from './texts/french.ts';
import { german } from './texts/german.ts';
import { italian } from './texts/italian.ts';
import { japanese } from './texts/japanese.ts';
import { polish } from './texts/polish.ts';
import { portuguese } from './texts/portuguese.ts';
import { spanish } from './texts/spanish.ts';

/** The texts of every language of contract/assistant.md#language. */
export const demoTexts: Readonly<Record<Language, DemoTexts>> = {
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
