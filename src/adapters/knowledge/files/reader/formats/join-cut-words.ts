const cutWord = /(\p{L}+)[-\u2010\xad][ \t]*\n[ \t]*(\p{Ll}{2,})/gu;

const hyphenated = /\p{L}+[-\u2010]\p{L}+/gu;

/**
 * Makes words whole that are cut at the end of a line. A word that the text writes with a hyphen elsewhere keeps the hyphen, because then
 * it belongs to the word.
 */
export function joinCutWords(text: string): string {
  if (!/[-\u2010\xad][ \t]*\n/.test(text)) return text;
  const written = new Set([...text.matchAll(hyphenated)].map(([word]) => word.toLowerCase().replace('\u2010', '-')));
  return text.replace(cutWord, (_all, begin: string, end: string) =>
    written.has(`${begin}-${end}`.toLowerCase()) ? `${begin}-${end}` : `${begin}${end}`,
  );
}
