/** A citation in a reply: `[2]`, or several numbers at once as `[1, 3]`. */
const citation = /\[(\d{1,2}(?:, ?\d{1,2})*)\]/g;

/** The numbers of the documents that a text cites. */
export function citedNumbers(text: string): ReadonlySet<number> {
  return new Set([...text.matchAll(citation)].flatMap(([, list = '']) => list.split(',').map(Number)));
}

/** The text without its citations. */
export function withoutCitations(text: string): string {
  return text.replaceAll(citation, '');
}
