import type { NodePlan } from '../../../../src/widget/nodes/node-plan.ts';
import { safeLink } from '../../../../src/widget/nodes/safe-link.ts';

/** An element of either side. Text is escaped nowhere: it is only compared. */
interface Element {
  readonly tag: string;
  /** Address of a link, first number of a list, alignment of a cell or language of code. */
  readonly detail: string;
  readonly children: (Element | string)[];
}

const blocks = /^(?:p|h\d|ul|ol|li|blockquote|pre|hr|table|thead|tbody|tr|td|th)$/;
const spans = /^(?:a|code|em|strong|del|br)$/;
const elements = /<(\/?)([a-z][a-z0-9]*)((?:[^>"]|"[^"]*")*)>|<|[^<]+/g;

/** What plans show, in the form of `outlineOfHtml`. */
export function outlineOfPlan(plans: readonly NodePlan[]): string {
  return outline({ tag: 'root', detail: '', children: plans.map(elementOfPlan) });
}

/**
 * What HTML that was made of Markdown shows, as the widget would show it: headings begin at level 3 and leave none out, images are their
 * alternative text, links that the widget does not follow are text, and what Markdown does not make is text.
 */
export function outlineOfHtml(html: string): string {
  const root: Element = { tag: 'root', detail: '', children: [] };
  const stack = [root];
  /** Depths of the headings above: the widget leaves no level out. */
  const above: number[] = [];
  for (const [whole, closing, tag = '', attributes = ''] of html.matchAll(elements)) {
    const children = (stack.at(-1) ?? root).children;
    if (tag === 'img') children.push(decode(/alt="([^"]*)"/.exec(attributes)?.[1] ?? ''));
    else if (tag === 'input') children.push(attributes.includes('checked') ? '☑' : '☐');
    else if (!blocks.test(tag) && !spans.test(tag)) children.push(decode(whole));
    else if (closing === '/') stack.pop();
    else {
      const element = { tag: tagOf(tag, above), detail: detailOf(tag, attributes), children: [] };
      children.push(element);
      if (tag !== 'br' && tag !== 'hr') stack.push(element);
    }
  }
  return outline(root);
}

function tagOf(tag: string, above: number[]): string {
  if (!/^h\d$/.test(tag)) return tag;
  const depth = Number(tag.slice(1));
  while ((above.at(-1) ?? 0) >= depth) above.pop();
  return `h${String(Math.min(6, above.push(depth) + 2))}`;
}

function detailOf(tag: string, attributes: string): string {
  const value = (name: RegExp): string => decode(name.exec(attributes)?.[1] ?? '');
  if (tag === 'a') return plainAddress(value(/href="([^"]*)"/));
  if (tag === 'ol') return value(/start="([^"]*)"/);
  if (tag === 'code') return /^[\w+#.-]{1,30}/.exec(value(/class="language-([^"]*)"/))?.[0] ?? '';
  return value(/align="([^"]*)"/);
}

function elementOfPlan(plan: NodePlan | string): Element | string {
  if (typeof plan === 'string') return plan;
  const { tag, attributes = {}, children = [] } = plan;
  // The box around a table is the widget's own.
  if (tag === 'div') return elementOfPlan(children[0] ?? '');
  if (tag === 'pre') {
    const code = children.flatMap((child) => (typeof child === 'string' ? [] : (child.children ?? [])));
    const inner = {
      tag: 'code',
      detail: attributes['data-language'] ?? '',
      children: [...code.map(elementOfPlan), '\n'],
    };
    return { tag, detail: '', children: [inner] };
  }
  const address = attributes.href === undefined ? undefined : plainAddress(attributes.href);
  const detail = address ?? attributes.start ?? attributes.class?.replace('align-', '') ?? '';
  return { tag, detail, children: children.map(elementOfPlan) };
}

function outline(element: Element): string {
  const { tag, detail, children } = element;
  const isBlock = tag === 'root' || (blocks.test(tag) && tag !== 'pre');
  const parts = children.map((child, index) => {
    if (typeof child !== 'string') return outline(child);
    // White space at the edge of a block and at the beginning of a line is not visible.
    const before = children[index - 1];
    const start = isLineBreak(before) || (isBlock && isEdge(before)) ? child.trimStart() : child;
    return isBlock && isEdge(children[index + 1]) ? start.trimEnd() : start;
  });
  const inner = tag === 'code' ? parts.join('').replace(/\n$/, '') : parts.join('');
  if (tag === 'root' || (tag === 'a' && safeLink(detail) === null)) return inner;
  // A table without rows is the same with and without a body.
  if (tag === 'tbody' && inner === '') return '';
  return `<${tag}${detail === '' ? '' : ` ${detail}`}>${inner}</${tag}>`;
}

function isEdge(neighbour: Element | string | undefined): boolean {
  return neighbour === undefined || (typeof neighbour !== 'string' && blocks.test(neighbour.tag));
}

function isLineBreak(neighbour: Element | string | undefined): boolean {
  return typeof neighbour === 'object' && neighbour.tag === 'br';
}

/**
 * Makes addresses comparable. Markdown processors differ in which characters they percent-encode, and in the scheme that they add to an
 * address without one.
 */
function plainAddress(address: string): string {
  try {
    return decodeURI(address).replace(/^http:\/\/www\./i, 'https://www.');
  } catch {
    return address;
  }
}

function decode(text: string): string {
  const named: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&', '#39': "'" };
  return text.replace(/&(lt|gt|quot|amp|#39);/g, (_, name: string) => named[name] ?? '');
}
