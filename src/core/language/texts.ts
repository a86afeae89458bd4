import type { TurnErrorCode } from '../errors/error-codes.ts';
import type { Language } from './language.ts';
import type { ServerTexts } from './server-texts.ts';
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

export const textsByLanguage: Readonly<Record<Language, ServerTexts>> = {
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

/** A moment (RFC 3339) in the form that people write, in UTC, because the server does not know the time zones of its users. */
export function momentText({ locale }: Pick<ServerTexts, 'locale'>, moment: string): string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  return `${format.format(new Date(moment))} UTC`;
}

/** Says when a message that came too early may be sent again. */
export function tryAgainText({ locale, tryAgain }: Pick<ServerTexts, 'locale' | 'tryAgain'>, seconds: number): string {
  const format = new Intl.RelativeTimeFormat(locale);
  const when = seconds < 120 ? format.format(seconds, 'second') : format.format(Math.ceil(seconds / 60), 'minute');
  return tryAgain.replace('{when}', when);
}

/** The message of a code, with its values filled in. */
export function errorText(
  texts: ServerTexts,
  code: TurnErrorCode,
  values: Readonly<Record<string, string>> = {},
): string {
  return texts.errors[code].replace(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
}
