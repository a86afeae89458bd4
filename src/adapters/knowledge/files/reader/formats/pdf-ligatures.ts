import type { PdfPage } from './pdf-page.ts';

const swapped = /[\u0622\u0623\u0625\u0627]\u0644/g;

/**
 * Puts the letters of a glyph for lam and alef in their order. PDFium turns texts from right to left letter by letter, so it swaps both
 * where the font names them as two letters. The article is written with the same letters, but as two glyphs, each at a place of its own.
 */
export function orderLigatures(page: PdfPage, text: string): string {
  if (text.search(swapped) < 0) return text;
  const textPage = page.call('FPDFText_LoadPage', page.handle);
  try {
    return text.replace(swapped, (letters, at: number) => {
      const [one, other] = [at, at + 1].map((index) => {
        const letter = page.call('FPDFText_GetCharIndexFromTextIndex', textPage, index);
        return letter < 0 ? undefined : page.originOf(textPage, letter);
      });
      const isOneGlyph = one !== undefined && one === other;
      return isOneGlyph ? `${letters.slice(1)}${letters.slice(0, 1)}` : letters;
    });
  } finally {
    page.call('FPDFText_ClosePage', textPage);
  }
}
