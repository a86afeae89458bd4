/**
 * The first of the user's languages that is this language, with its region. British English writes times differently from American.
 * Chinese in another script counts as another language.
 */
export function ownVariant(locale: string): string {
  const wanted = kindOf(locale);
  return navigator.languages.find((tag) => kindOf(tag) === wanted) ?? locale;
}

/** The language and script of a tag. Some browsers report tags that are invalid. */
function kindOf(tag: string): string | undefined {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return `${language}-${script}`;
  } catch {
    return undefined;
  }
}
