import { readCsv } from './formats/csv.ts';
import { readEml } from './formats/eml.ts';
import { readHtml } from './formats/html/html.ts';
import { readMarkdown, readMdx } from './formats/markdown.ts';
import { readDocx } from './formats/office/docx.ts';
import { readEpub } from './formats/office/epub.ts';
import { readOdf } from './formats/office/odf.ts';
import { readPptx } from './formats/office/pptx.ts';
import { readXlsx } from './formats/office/xlsx.ts';
import { readPdf } from './formats/pdf.ts';
import { readRtf } from './formats/rtf.ts';
import { decode, readText } from './formats/text.ts';
import type { Kind } from './kinds.ts';
import type { ReadableText } from './section.ts';

/** The formats that are text, in which facts may stand above the content. */
export type TextKind = Extract<Kind, 'html' | 'markdown' | 'mdx' | 'text'>;

/** The readers of the formats that are text. */
export const textReaders: Readonly<Record<TextKind, (text: string) => ReadableText>> = {
  html: readHtml,
  markdown: readMarkdown,
  mdx: readMdx,
  text: readText,
};

/** Whether a format is text, in which facts may stand above the content. */
export function isTextKind(kind: Kind): kind is TextKind {
  return Object.hasOwn(textReaders, kind);
}

/** Reads what people see in a file of one of the other formats. @throws LeftOut when the file cannot be read, or costs too much. */
export async function readFormat(kind: Exclude<Kind, TextKind>, bytes: Buffer): Promise<ReadableText> {
  switch (kind) {
    case 'pdf':
      return readPdf(bytes);
    case 'docx':
      return readDocx(bytes);
    case 'xlsx':
      return readXlsx(bytes);
    case 'pptx':
      return readPptx(bytes);
    case 'odf':
      return readOdf(bytes);
    case 'epub':
      return readEpub(bytes);
    case 'rtf':
      return readRtf(bytes);
    case 'eml':
      return readEml(bytes);
    case 'csv':
      return readCsv(decode(bytes));
    case 'tsv':
      return readCsv(decode(bytes), '\t');
  }
}
