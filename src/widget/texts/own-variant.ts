/**
 * The first of the user's languages that is this one, with its region: British English writes times otherwise than American.
 * Chinese in other signs is another language here.
 */
export function ownVariant(locale: string): string {
  const wanted = kindOf(locale);
  return navigator.languages.find((tag) => kindOf(tag) === wanted) ?? locale;
}

/** Language and script. Some browsers have been seen to tell tags that are none. */
function kindOf(tag: string): string | undefined {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return `${language}-${script}`;
  } catch {
    return undefined;
  }
}
