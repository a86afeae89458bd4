import type { Language } from '../../../core/language/language.ts';
import { chinese } from './chinese.ts';
import type { ConfirmTexts } from './confirm-texts.ts';
import { dutch } from './dutch.ts';
import { english } from './english.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import { italian } from './italian.ts';
import { japanese } from './japanese.ts';
import { polish } from './polish.ts';
import { portuguese } from './portuguese.ts';
import { spanish } from './spanish.ts';

/** The texts of the page by language. */
export const confirmTexts: Readonly<Record<Language, ConfirmTexts>> = {
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

/** The most characters of `Accept-Language` that are looked at. Browsers send fewer. */
const longestHeader = 500;

/** The texts in the first language of `Accept-Language` that there is, by its weights; else in the configured language. */
export function textsFor(acceptLanguage: string | undefined, configured: Language): ConfirmTexts {
  const wanted = (acceptLanguage ?? '')
    .slice(0, longestHeader)
    .split(',')
    .map((entry) => {
      const [tag = '', weight = 'q=1'] = entry.split(';').map((part) => part.trim());
      return {
        tag: tag.toLowerCase().split('-', 1)[0] ?? '',
        weight: weight === '' ? 1 : Number(weight.replace(/^q=/i, '')),
      };
    })
    .filter(({ tag, weight }) => tag !== '' && weight > 0)
    .sort((left, right) => right.weight - left.weight);
  for (const { tag } of wanted) {
    const found = Object.values(confirmTexts).find(({ locale }) => locale.split('-', 1)[0] === tag);
    if (found !== undefined) return found;
  }
  return confirmTexts[configured];
}

/** The text with its placeholders replaced. A placeholder without a value stays as it is. */
export function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
}

/** `filled` with `{count}`. `{count|word|words}` becomes the word that fits: the first with "one", the last with all else. */
export function filledCount(text: string, count: number, { locale }: Pick<ConfirmTexts, 'locale'>): string {
  const isOne = new Intl.PluralRules(locale).select(count) === 'one';
  const worded = text.replace(
    /\{count\|([^}]{0,100})\}/g,
    (_, words: string) => words.split('|').at(isOne ? 0 : -1) ?? '',
  );
  return filled(worded, { count: String(count) });
}
