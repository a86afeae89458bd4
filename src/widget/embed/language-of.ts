import { languageTags } from '../../wire/client-settings.ts';

/** The language of a locale such as `it`, `it-IT` or `pt_BR`. Any other text counts as the name of a language and is returned unchanged. */
export function languageOf(locale: string): string {
  const tag = (locale.split(/[-_]/, 1)[0] ?? '').toLowerCase();
  return Object.entries(languageTags).find(([, known]) => known.split('-', 1)[0] === tag)?.[0] ?? locale;
}
