import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { LeftOut } from '../read-limits.ts';
import { type ReadableText, SectionBuilder } from '../section.ts';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** Elements that hold no text of the document. */
const skipped: ReadonlySet<string> = new Set([
  ...['button', 'canvas', 'footer', 'form', 'head', 'iframe', 'math', 'nav', 'noscript', 'object', 'script', 'select'],
  ...['style', 'svg', 'template', 'textarea'],
]);

/** Elements that end a paragraph. */
const blocks: ReadonlySet<string> = new Set([
  ...[
    'address',
    'article',
    'aside',
    'blockquote',
    'dd',
    'details',
    'div',
    'dl',
    'dt',
    'fieldset',
    'figcaption',
    'figure',
  ],
  ...['header', 'hr', 'main', 'ol', 'p', 'pre', 'section', 'summary', 'table', 'ul'],
]);

/** Elements that end a line. */
const lines: ReadonlySet<string> = new Set(['br', 'li', 'tr', 'caption']);

const headingLevels: Readonly<Record<string, number>> = { h1: 1, h2: 2, h3: 3, h4: 4, h5: 5, h6: 6 };

/** Reads the text of a page, section by section. Pages may be nested deeper than the call stack, so the walk is not recursive. */
export function readHtml(html: string): ReadableText {
  const walk = new Walk();
  const root = parse(html, { scriptingEnabled: false });
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
  if (sections.length === 0) throw new LeftOut('holds no text');
  return { title: walk.title, language: walk.language, sections };
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

  /** The first main heading, or else the title of the page. A title often names the site too, so the heading is better. */
  get title(): string | undefined {
    return this.#firstHeading ?? this.#pageTitle;
  }

  /** Undefined: the content of the node is skipped. Otherwise the function is to be called after all content of the node. */
  enter(node: Node): (() => void) | undefined {
    if ('tagName' in node) return this.#enterElement(node);
    if (node.nodeName === '#text' && 'value' in node) this.#text(node.value);
    return () => undefined;
  }

  #enterElement(element: Element): (() => void) | undefined {
    const { tagName } = element;
    if (tagName === 'html') this.language = attributeOf(element, 'lang')?.slice(0, 2).toLowerCase();
    if (tagName === 'head') this.#pageTitle = titleIn(element);
    if (skipped.has(tagName) || attributeOf(element, 'hidden') !== undefined) return undefined;
    const level = headingLevels[tagName];
    if (level !== undefined) return this.#enterHeading(level);
    if (tagName === 'pre') this.#preformatted += 1;
    if (tagName === 'li') this.#text('\n- ', true);
    if (blocks.has(tagName)) this.#text('\n\n', true);
    return () => {
      if (tagName === 'pre') this.#preformatted -= 1;
      if (blocks.has(tagName)) this.#text('\n\n', true);
      else if (lines.has(tagName)) this.#text('\n', true);
      else if (tagName === 'td' || tagName === 'th') this.#text(' | ', true);
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
      this.builder.heading(level, heading);
      this.#endsWithSpace = true;
    };
  }

  #text(text: string, isLayout = false): void {
    if (this.#heading !== undefined) {
      this.#heading.push(isLayout ? ' ' : text);
      return;
    }
    const shown = isLayout || this.#preformatted > 0 ? text : text.replace(/[ \t\n\r\f]+/g, ' ');
    const added = this.#endsWithSpace && !isLayout && this.#preformatted === 0 ? shown.replace(/^ /, '') : shown;
    if (added === '') return;
    this.builder.add(added);
    this.#endsWithSpace = /\s$/.test(added.slice(-1));
  }
}

function titleIn(head: Element): string | undefined {
  for (const child of head.childNodes) {
    if (child.nodeName !== 'title' || !('childNodes' in child)) continue;
    const text = child.childNodes.map((node) => ('value' in node ? node.value : '')).join('');
    return text.replace(/\s+/g, ' ').trim() || undefined;
  }
  return undefined;
}

function attributeOf(element: Element, name: string): string | undefined {
  return element.attrs.find((attribute) => attribute.name === name)?.value;
}
