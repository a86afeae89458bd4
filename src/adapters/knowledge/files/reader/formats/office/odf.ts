import { LeftOut } from '../../read-limits.ts';
import type { ReadableText } from '../../section.ts';
import { readHtml } from '../html/html.ts';
import { partText, titleOf } from './parts.ts';
import { readXml, valueOf } from './xml.ts';
import { ZipFile } from './zip.ts';

type Attributes = Readonly<Record<string, string>>;

/** Elements whose content is not read: comments, earlier versions of the text, and what a program keeps for itself. */
const skipped: ReadonlySet<string> = new Set([
  ...['annotation', 'tracked-changes', 'hidden-text', 'scripts', 'forms', 'font-face-decls', 'covered-table-cell'],
  ...['title', 'desc', 'binary-data', 'event-listeners', 'settings', 'sequence-decls', 'variable-decls'],
]);

/** The elements of HTML that say the same. */
const same: Readonly<Record<string, string>> = {
  p: 'p',
  list: 'ul',
  'list-item': 'li',
  'list-header': 'li',
  table: 'table',
  'table-row': 'tr',
};

/** A cell or a row that is empty up to the end of the sheet is repeated some thousand times. */
const mostRepeated = 100;

/** Reads a text, a sheet or a presentation in the format of OpenDocument. Nothing outside the file is read, and nothing is computed. */
export function readOdf(bytes: Buffer): ReadableText {
  const zip = new ZipFile(bytes, 'OpenDocument file');
  if (/manifest:encryption-data/.test(partText(zip, 'META-INF/manifest.xml') ?? '')) {
    throw new LeftOut('is protected by a password');
  }
  const content = partText(zip, 'content.xml');
  if (content === undefined) throw new LeftOut('is not a valid OpenDocument file');
  const writer = new HtmlWriter();
  readXml(content, {
    open: (name, attributes) => writer.open(name, attributes),
    text: (text) => writer.text(text),
    close: (name) => writer.close(name),
  });
  const page = readHtml(writer.html());
  return { ...page, title: titleOf(zip, 'meta.xml') ?? page.title };
}

/** Writes the content of an OpenDocument file as a page, so that its lists and tables are read as those of pages are. */
class HtmlWriter {
  readonly #html: string[] = ['<body>'];
  /** What closes each open element. */
  readonly #closes: string[] = [];
  /** The names of styles that hide text, or whole sheets. */
  readonly #hidden = new Set<string>();
  #style = '';
  /** How many elements are open within one that is not read. */
  #skipped = 0;

  html(): string {
    return this.#html.join('');
  }

  open(name: string, attributes: Attributes): void {
    if (this.#skipped > 0 || skipped.has(name) || this.#isHidden(attributes)) {
      this.#skipped += 1;
      return;
    }
    if (name === 'style') this.#style = valueOf(attributes, 'name') ?? '';
    if (valueOf(attributes, 'display') === (name === 'table-properties' ? 'false' : 'none'))
      this.#hidden.add(this.#style);
    const [begin, end] = tagsOf(name, attributes);
    this.#html.push(begin);
    this.#closes.push(end);
  }

  text(text: string): void {
    if (this.#skipped === 0) this.#html.push(escaped(text));
  }

  close(name: string): void {
    if (this.#skipped > 0) {
      this.#skipped -= 1;
      return;
    }
    const end = this.#closes.pop() ?? '';
    if (name === 'style') this.#style = '';
    this.#html.push(end);
  }

  #isHidden(attributes: Attributes): boolean {
    const style = valueOf(attributes, 'style-name');
    return (
      (style !== undefined && this.#hidden.has(style)) ||
      /^(?:collapse|filter)$/.test(valueOf(attributes, 'visibility') ?? '') ||
      valueOf(attributes, 'is-hidden') === 'true'
    );
  }
}

function tagsOf(name: string, attributes: Attributes): readonly [string, string] {
  const number = (attribute: string): number => Math.trunc(Number(valueOf(attributes, attribute) ?? 1)) || 1;
  const html = same[name];
  if (name === 'table') return [`${headingOf(attributes)}<table>`, '</table>'];
  if (html !== undefined) return [`<${html}>`, `</${html}>`];
  switch (name) {
    case 'h': {
      const level = Math.min(6, Math.max(1, number('outline-level')));
      return [`<h${String(level)}>`, `</h${String(level)}>`];
    }
    case 'page':
      return [headingOf(attributes), ''];
    case 'notes':
      return ['<div>', '</div>'];
    case 'table-cell': {
      const columns = Math.max(
        number('number-columns-spanned'),
        Math.min(mostRepeated, number('number-columns-repeated')),
      );
      return [`<td colspan="${String(columns)}" rowspan="${String(number('number-rows-spanned'))}">`, '</td>'];
    }
    case 's':
      return [' '.repeat(Math.min(100, number('c'))), ''];
    case 'tab':
      return [' ', ''];
    case 'line-break':
      return ['<br>', ''];
    case 'note-citation':
      return [' [', '] '];
    default:
      return ['', ''];
  }
}

/** Sheets and slides have names. */
function headingOf(attributes: Attributes): string {
  const name = valueOf(attributes, 'name');
  return name === undefined ? '' : `<h1>${escaped(name)}</h1>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
