import { posix } from 'node:path';
import { LeftOut, readLimits } from '../../read-limits.ts';
import { type ReadableText, type Section, tooManyCharacters } from '../../section.ts';
import { readHtml } from '../html/html.ts';
import { partText } from './parts.ts';
import { elementsIn, valueOf, xmlTree } from './xml.ts';
import { ZipFile } from './zip.ts';

const mostChapters = 2_000;

/** Reads a book in the format of EPUB, chapter by chapter. */
export function readEpub(bytes: Buffer): ReadableText {
  const zip = new ZipFile(bytes, 'EPUB book');
  const [root] = elementsIn(xmlTree(partText(zip, 'META-INF/container.xml') ?? ''), 'rootfile');
  const packagePart = valueOf(root?.attributes ?? {}, 'full-path') ?? '';
  const text = partText(zip, packagePart);
  if (text === undefined) throw new LeftOut('is not a valid EPUB book');
  const book = xmlTree(text);
  const items = new Map(
    [...elementsIn(book, 'item')].map(({ attributes }) => [
      valueOf(attributes, 'id') ?? '',
      { href: valueOf(attributes, 'href') ?? '', properties: valueOf(attributes, 'properties') ?? '' },
    ]),
  );
  const sections: Section[] = [];
  let characters = 0;
  for (const { attributes } of [...elementsIn(book, 'itemref')].slice(0, mostChapters)) {
    const item = items.get(valueOf(attributes, 'idref') ?? '');
    // The table of contents repeats the headings of the book.
    if (item === undefined || /(?:^|\s)nav(?:\s|$)/.test(item.properties)) continue;
    const chapter = partText(zip, posix.join(posix.dirname(packagePart), addressOf(item.href)));
    for (const section of chapter === undefined ? [] : sectionsOf(chapter)) {
      characters += section.text.length;
      if (characters > readLimits.characters) throw tooManyCharacters();
      sections.push(section);
    }
  }
  if (sections.length === 0) throw new LeftOut('holds no text, or is protected');
  const [title] = elementsIn(book, 'title');
  const [language] = elementsIn(book, 'language');
  return {
    title: title?.text.trim() || undefined,
    language: /^[a-z]{2}/i.exec(language?.text.trim() ?? '')?.[0].toLowerCase(),
    sections,
  };
}

/** A chapter without text, such as a picture of the cover, has no sections. */
function sectionsOf(chapter: string): readonly Section[] {
  try {
    return readHtml(chapter.startsWith('<?xml') ? chapter : `<?xml version="1.0"?>${chapter}`).sections;
  } catch (error) {
    if (error instanceof LeftOut && /holds no text/.test(error.message)) return [];
    throw error;
  }
}

function addressOf(href: string): string {
  try {
    return decodeURIComponent(href.split('#', 1)[0] ?? '');
  } catch {
    return href;
  }
}
