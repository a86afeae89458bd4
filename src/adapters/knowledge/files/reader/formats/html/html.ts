import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { LeftOut } from '../../read-limits.ts';
import { type ReadableText, SectionBuilder, type TextTarget } from '../../section.ts';
import { attributeOf, numberOf } from './attributes.ts';
import { PageTable } from './cells.ts';
import { ListMarks } from './list-marks.ts';
import { StyleSheet } from './style-sheet.ts';
import { type Colours, coloursWithin, isHidden, isSeen, stylesOf, usualColours } from './visibility.ts';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** Elements that hold no text of the document. */
const skipped: ReadonlySet<string> = new Set([
  ...['button', 'canvas', 'footer', 'form', 'head', 'iframe', 'math', 'nav', 'noscript', 'object', 'script', 'select'],
  ...['style', 'svg', 'template', 'textarea'],
]);

/** Elements that end a paragraph. */
const blocks: ReadonlySet<string> = new Set([
  ...['address', 'article', 'aside', 'blockquote', 'details', 'div', 'dl', 'fieldset', 'figcaption', 'figure'],
  ...['header', 'hr', 'main', 'p', 'pre', 'section', 'summary'],
]);

/** Elements that end a line. */
const lines: ReadonlySet<string> = new Set(['br', 'dd', 'dt', 'li', 'tr', 'caption']);

const headingLevels: Readonly<Record<string, number>> = { h1: 1, h2: 2, h3: 3, h4: 4, h5: 5, h6: 6 };

/** Tables nested deeper are read as plain text. */
const deepestTable = 10;

/** Classes of small texts that stand apart without a space between them, such as the tags of Notion. */
const apart = /(?:^|[\s_-])(?:selected-value|tag|badge|chip|pill)(?:$|[\s_-])/i;

const nothing = (): void => undefined;

/** Reads the text of a page, section by section. Pages may be nested deeper than the call stack, so the walk is not recursive. */
export function readHtml(html: string): ReadableText {
  const walk = new Walk();
  const root = parse(closedTags(html), { scriptingEnabled: false });
  /** A function in the stack is called when the walk leaves an element. */
  const stack: (Node | (() => void))[] = [root];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (typeof next === 'function') {
      next();
      continue;
    }
    const leave = walk.enter(next);
    if (leave === undefined) continue;
    stack.push(leave);
    if ('childNodes' in next)
      for (let at = next.childNodes.length - 1; at >= 0; at -= 1) stack.push(next.childNodes[at] ?? root);
  }
  const sections = walk.builder.sections();
  if (sections.length === 0) throw new LeftOut('holds no text', { why: 'empty' });
  return { title: walk.title, language: walk.language, sections };
}

/** In XHTML every element may close itself; in HTML, an element such as `title` that seems to would swallow the page. */
function closedTags(html: string): string {
  if (!/^\s{0,100}<\?xml/.test(html.slice(0, 200))) return html;
  return html.replace(
    /<(title|script|style|a|div|p|span|td|th|li|textarea|iframe)((?:\s[^<>]{0,1000})?)\/>/gi,
    '<$1$2></$1>',
  );
}

/** The state of the walk through a page. */
class Walk {
  readonly builder = new SectionBuilder();
  language: string | undefined;
  #pageTitle: string | undefined;
  #firstHeading: string | undefined;
  /** The words of the heading that the walk is in. Undefined: the walk is in no heading. */
  #heading: string[] | undefined;
  #preformatted = 0;
  #endsWithSpace = true;
  /** How many lines have ended since the last word. */
  #ended = 0;
  /** Whether the mark of an item is the last that was written. Its text follows in the same line. */
  #isAfterMark = false;
  /** The cell that the walk is in, else the page. */
  #target: TextTarget = this.builder;
  readonly #tables: PageTable[] = [];
  readonly #lists = new ListMarks();
  readonly #sheet = new StyleSheet();
  #colours: Colours = usualColours;

  /** The first main heading, or else the title of the page. A title often names the site too, so the heading is better. */
  get title(): string | undefined {
    return this.#firstHeading ?? this.#pageTitle;
  }

  /** Undefined: the content of the node is skipped. Otherwise the function is to be called after all content of the node. */
  enter(node: Node): (() => void) | undefined {
    if ('tagName' in node) return this.#enterSeen(node);
    if (node.nodeName === '#text' && 'value' in node && isSeen(this.#colours)) this.#text(node.value);
    return nothing;
  }

  #enterSeen(element: Element): (() => void) | undefined {
    if (element.tagName === 'head') this.#head(element);
    if (element.tagName === 'style') this.#sheet.add(textIn(element));
    if (skipped.has(element.tagName)) return undefined;
    const styles = stylesOf(element, this.#sheet);
    if (isHidden(element, styles)) return undefined;
    const outer = this.#colours;
    this.#colours = coloursWithin(outer, styles);
    const leave = this.#enterElement(element);
    if (this.#colours === outer) return leave;
    return () => {
      leave();
      this.#colours = outer;
    };
  }

  /** Styles stand in the head, before what they hide. Where others are loaded, nobody knows on which ground the page writes. */
  #head(head: Element): void {
    for (const child of head.childNodes) {
      if (!('tagName' in child)) continue;
      if (child.tagName === 'title') this.#pageTitle = textIn(child).replace(/\s+/g, ' ').trim() || undefined;
      if (child.tagName === 'style') this.#sheet.add(textIn(child));
      if (child.tagName === 'link' && /stylesheet/i.test(attributeOf(child, 'rel') ?? '')) {
        this.#colours = { ...this.#colours, ground: undefined };
      }
    }
  }

  #enterElement(element: Element): () => void {
    const { tagName } = element;
    const level = headingLevels[tagName];
    if (level !== undefined) return this.#enterHeading(level);
    switch (tagName) {
      case 'html':
        this.language = attributeOf(element, 'lang')?.slice(0, 2).toLowerCase();
        return nothing;
      case 'table':
        return this.#enterTable(element);
      case 'tr':
      case 'td':
      case 'th':
      case 'caption':
        return this.#enterInTable(element);
      case 'ol':
      case 'ul':
      case 'menu':
        return this.#enterList(element);
      case 'li':
        this.#item(attributeOf(element, 'value') === undefined ? undefined : numberIn(element, 'value'));
        return () => this.#text('\n', true);
      case 'input':
        if (attributeOf(element, 'type') === 'checkbox') this.#checkbox(attributeOf(element, 'checked') !== undefined);
        return nothing;
      default:
        return this.#enterOther(element);
    }
  }

  #enterOther(element: Element): () => void {
    const { tagName } = element;
    const classes = attributeOf(element, 'class') ?? '';
    if (/(?:^|\s)checkbox-o(?:n|ff)(?:\s|$)/.test(classes)) this.#checkbox(/checkbox-on/.test(classes));
    const isApart = classes !== '' && apart.test(classes);
    if (tagName === 'pre') this.#preformatted += 1;
    if (tagName === 'dt' || blocks.has(tagName)) this.#endParagraph();
    else if (tagName === 'dd') this.#text('\n', true);
    else if (isApart) this.#text(' ');
    return () => {
      if (tagName === 'pre') this.#preformatted -= 1;
      if (blocks.has(tagName)) this.#endParagraph();
      else if (lines.has(tagName)) this.#text('\n', true);
      else if (isApart) this.#text(' ');
    };
  }

  /** The paragraphs of an item stay together. */
  #endParagraph(): void {
    this.#text(this.#lists.isOpen ? '\n' : '\n\n', true);
  }

  #item(number: number | undefined): void {
    this.#text(this.#lists.item(number), true);
    this.#isAfterMark = true;
  }

  #checkbox(isChecked: boolean): void {
    this.#text(isChecked ? '☒ ' : '☐ ');
  }

  #enterTable(element: Element): () => void {
    if (this.#tables.length >= deepestTable) {
      this.#text('\n\n', true);
      return () => this.#text('\n\n', true);
    }
    const table = new PageTable(/^(?:presentation|none)$/.test(attributeOf(element, 'role') ?? ''));
    const outer = this.#target;
    this.#text('\n\n', true);
    this.#tables.push(table);
    return () => {
      this.#tables.pop();
      this.#target = outer;
      table.writeTo(outer);
      this.#endsWithSpace = true;
    };
  }

  /** A row, a cell or a caption. The parser has put each of them into a table. */
  #enterInTable(element: Element): () => void {
    const { tagName } = element;
    const table = this.#tables.at(-1);
    if (table === undefined || this.#heading !== undefined)
      return () => this.#text(tagName === 'tr' ? '\n' : ' | ', true);
    if (tagName === 'tr') {
      table.row();
      return nothing;
    }
    const outer = this.#target;
    const columns = numberOf(element, 'colspan', { least: 1, most: 1_000, usual: 1 });
    const rows = numberOf(element, 'rowspan', { least: 1, most: 65_534, usual: 1 });
    this.#target = tagName === 'caption' ? table.caption : table.cell({ columns, rows });
    this.#endsWithSpace = true;
    return () => {
      this.#target = outer;
      this.#endsWithSpace = true;
    };
  }

  #enterList(element: Element): () => void {
    const isNested =
      element.parentNode !== null && 'tagName' in element.parentNode && element.parentNode.tagName === 'li';
    // Google Docs writes each level as a list of its own, and the level into the name of a class.
    const level = /(?:^|\s)lst-\S{1,100}-(\d)(?:\s|$)/.exec(attributeOf(element, 'class') ?? '')?.[1];
    this.#lists.enter({
      isOrdered: element.tagName === 'ol',
      start: numberIn(element, 'start'),
      type: attributeOf(element, 'type') ?? '1',
      level: level === undefined ? undefined : Number(level),
    });
    const around = isNested || level !== undefined ? '\n' : '\n\n';
    this.#text(around, true);
    return () => {
      this.#lists.leave();
      this.#text(around, true);
    };
  }

  #enterHeading(level: number): () => void {
    const words: string[] = [];
    this.#heading = words;
    return () => {
      if (this.#heading !== words) return;
      this.#heading = undefined;
      const heading = words.join('').replace(/\s+/g, ' ').trim();
      if (level === 1 && heading !== '') this.#firstHeading ??= heading;
      this.#target.heading(level, heading);
      this.#endsWithSpace = true;
    };
  }

  #text(text: string, isLayout = false): void {
    if (this.#heading !== undefined) {
      this.#heading.push(isLayout ? ' ' : text);
      return;
    }
    const shown = isLayout ? this.#newLines(text) : this.#preformatted > 0 ? text : text.replace(/[ \t\n\r\f]+/g, ' ');
    const added = this.#endsWithSpace && !isLayout && this.#preformatted === 0 ? shown.replace(/^ /, '') : shown;
    if (added === '') return;
    if (added.trim() !== '') this.#isAfterMark = false;
    this.#target.add(added);
    this.#endsWithSpace = /\s$/.test(added.slice(-1));
    if (!/^\n+$/.test(added)) this.#ended = 0;
    this.#ended += /\n{0,2}$/.exec(added.slice(-2))?.[0].length ?? 0;
  }

  /** Ends no more lines than are not ended already. */
  #newLines(text: string): string {
    const wanted = /^\n*/.exec(text)?.[0].length ?? 0;
    if (this.#isAfterMark && wanted === text.length) return '';
    return text.slice(Math.min(wanted, this.#ended));
  }
}

function numberIn(element: Element, name: string): number {
  return numberOf(element, name, { least: -9_999_999, most: 9_999_999, usual: 1 });
}

function textIn(element: Element): string {
  return element.childNodes.map((node) => ('value' in node ? node.value : '')).join('');
}
