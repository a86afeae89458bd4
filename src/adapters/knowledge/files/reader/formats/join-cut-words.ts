const cutWord = /(\p{L}{1,60})[-\u2010\xad][ \t]{0,9}\n[ \t]{0,40}(\p{Ll}{2,60})/gu;

const hyphenated = /\p{L}{1,60}[-\u2010]\p{L}{1,60}/gu;

/**
 * Makes words whole that are cut at the end of a line. A word that the text writes with a hyphen elsewhere keeps the hyphen, because then
 * it belongs to the word.
 */
export function joinCutWords(text: string): string {
  if (!/[-\u2010\xad][ \t]{0,9}\n/.test(text)) return text;
  const written = new Set([...text.matchAll(hyphenated)].map(([word]) => word.toLowerCase().replace('\u2010', '-')));
  return text.replace(cutWord, (_all, begin: string, end: string) =>
    written.has(`${begin}-${end}`.toLowerCase()) ? `${begin}-${end}` : `${begin}${end}`,
  );
}
