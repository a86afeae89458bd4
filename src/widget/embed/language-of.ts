import { languageTags } from '../../wire/client-settings.ts';

/** The language of a locale such as `it`, `it-IT` or `pt_BR`, as hosts name it; what is none is taken for a language's name. */
export function languageOf(locale: string): string {
  const tag = (locale.split(/[-_]/, 1)[0] ?? '').toLowerCase();
  return Object.entries(languageTags).find(([, known]) => known.split('-', 1)[0] === tag)?.[0] ?? locale;
}
