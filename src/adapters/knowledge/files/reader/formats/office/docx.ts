import type { ReadableText } from '../../section.ts';
import { readHtml } from '../html/html.ts';
import { hiddenStyles, readableWordXml } from './word-xml.ts';
import { xmlText } from './xml.ts';
import { ZipFile } from './zip.ts';

/** The parts that hold text. */
const textParts = /(?:^|\/)(?:document\d*|footnotes\d*|endnotes\d*)\.xml$/i;

/** Reads a Word document, section by section. Pictures and comments are left out. Nothing outside the file is read. */
export async function readDocx(bytes: Buffer): Promise<ReadableText> {
  const zip = new ZipFile(bytes, 'Word document');
  // The library is loaded only when there are Word documents.
  const { default: mammoth } = await import('mammoth');
  // The library takes a file that is open already, too, though its types do not say so.
  const input = { file: new WordFile(zip) } as unknown as Parameters<typeof mammoth.convertToHtml>[0];
  const { value } = await mammoth.convertToHtml(input, {
    styleMap: ["p[style-name='Title'] => h1:fresh"],
    convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })),
    externalFileAccess: false,
    // A document must not say how it is read.
    includeEmbeddedStyleMap: false,
  });
  return readHtml(value);
}

/** An unpacked Word document, as the library asks for its parts. */
class WordFile {
  readonly #zip: ZipFile;
  readonly #hidden: ReadonlySet<string>;

  constructor(zip: ZipFile) {
    this.#zip = zip;
    const styles = zip.names.find((name) => /(?:^|\/)styles\d*\.xml$/i.test(name));
    this.#hidden = hiddenStyles(styles === undefined ? '' : xmlText(zip.read(styles) ?? Buffer.alloc(0)));
  }

  exists(name: string): boolean {
    return this.#zip.has(name);
  }

  read(name: string, encoding?: string): Promise<string | Uint8Array> {
    const bytes = this.#zip.read(name);
    if (bytes === undefined) return Promise.reject(new Error(`there is no part ${name}`));
    if (encoding === undefined || encoding === 'base64') return Promise.resolve(new Uint8Array(bytes));
    const text = xmlText(bytes).replace(/^\ufeff/, '');
    return Promise.resolve(textParts.test(name) ? readableWordXml(text, this.#hidden) : text);
  }
}
