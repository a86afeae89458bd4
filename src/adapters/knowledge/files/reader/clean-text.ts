/** Characters that nobody sees, private ones that mean nothing without their font, and letters that are written as one. */
const unusual =
  // eslint-disable-next-line no-control-regex -- these are the characters to find
  /[\0-\x08\x0b\x0e-\x1f\xad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ue000-\uf8ff\ufb00-\ufdff\ufe70-\ufeff\u{e0000}-\u{e0fff}]/u;

// eslint-disable-next-line no-control-regex -- these are the characters to remove
const invisible = /[\0-\x08\x0b\x0e-\x1f\xad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e0fff}]+/gu;

/** The private characters by which Word's and the PDF writers' symbol fonts draw the marks of lists. */
const symbolBullets = /[\uf0a7\uf0b7\uf0d8\uf0fc]/g;

/**
 * A text as people read it: without characters that nobody sees, and with composed accents. Letters that a font joins, such as the one
 * character for "ffi", become the letters themselves. So the same word has the same characters in every document.
 */
export function cleanText(text: string): string {
  if (!unusual.test(text)) return text.normalize('NFC');
  return text
    .replace(invisible, '')
    .replace(symbolBullets, '•')
    .replace(/[\ue000-\uf8ff]+/g, '')
    .replace(/[\ufb00-\ufdff\ufe70-\ufefe]+/g, (joined) => joined.normalize('NFKC'))
    .normalize('NFC');
}
