import type { PDFiumDocument, PDFiumPage } from '@hyzyla/pdfium';
import { LeftOut, readLimits } from '../read-limits.ts';
import { type ReadableText, type Section, tooManyCharacters } from '../section.ts';
import { orderLigatures } from './pdf-ligatures.ts';
import { PdfPage } from './pdf-page.ts';
import { removeUnseen } from './pdf-unseen.ts';

/** Reads a PDF page by page. */
export async function readPdf(bytes: Buffer): Promise<ReadableText> {
  const document = await open(bytes);
  try {
    const count = document.getPageCount();
    if (count > readLimits.pages)
      throw new LeftOut(`has more than ${readLimits.pages.toLocaleString('en')} pages`, { why: 'costly' });
    const sections: Section[] = [];
    let characters = 0;
    for (let index = 0; index < count; index += 1) {
      const text = tidy(textOf(document.getPage(index)));
      characters += text.length;
      if (characters > readLimits.characters) throw tooManyCharacters();
      if (text !== '') sections.push({ path: [], text, page: index + 1 });
    }
    if (sections.length === 0) throw new LeftOut('holds no text: it may be a scan', { why: 'empty' });
    return { sections };
  } finally {
    document.destroy();
  }
}

/** The text that people see on a page. */
function textOf(page: PDFiumPage): string {
  const raw = new PdfPage(page);
  try {
    removeUnseen(raw);
    return orderLigatures(raw, page.getText());
  } finally {
    raw.close();
  }
}

const load = async (): Promise<{ loadDocument(bytes: Uint8Array): Promise<PDFiumDocument> }> => {
  const { PDFiumLibrary } = await import('@hyzyla/pdfium');
  return PDFiumLibrary.init();
};

let library: ReturnType<typeof load> | undefined;

async function open(bytes: Buffer): Promise<PDFiumDocument> {
  // The library is loaded once, and only when there are PDFs.
  library ??= load();
  const loaded = await library;
  try {
    return await loaded.loadDocument(bytes);
  } catch (error) {
    const isLocked = error instanceof Error && /password/i.test(error.message);
    if (isLocked) throw new LeftOut('is protected by a password', { cause: error, why: 'locked' });
    throw new LeftOut('is not a valid PDF', { cause: error });
  }
}

/** Cleans the text of PDFium. A word that is cut at the end of a line becomes whole. */
function tidy(text: string): string {
  return (
    text
      .replace(/\r\n?/g, '\n')
      // eslint-disable-next-line no-control-regex -- PDFium's marks of a cut word
      .replace(/[\u0002\ufffe]\n?/g, '')
      .replace(/\0/g, '')
      .trim()
  );
}
