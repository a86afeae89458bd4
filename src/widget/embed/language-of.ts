import { languageOfLocale } from '../../wire/client-settings.ts';

/** The language of a locale such as `it`, `it-IT` or `pt_BR`. Any other text counts as the name of a language and is returned unchanged. */
export function languageOf(locale: string): string {
  return languageOfLocale(locale) ?? locale;
}
