import { type DefaultTreeAdapterTypes, ErrorCodes, parseFragment } from 'parse5';
import { isImageAllowed, isRelative } from '../../core/cards/addresses.ts';
import type { WelcomeElement, WelcomeMessage } from '../../wire/welcome-message.ts';

/** A welcome message in the form that the widget shows, or the reason why there is none. */
export type ParsedWelcome =
  | {
      readonly ok: true;
      readonly message: WelcomeMessage;
      /** The parts of the HTML that are not shown as they were meant. Each text begins with "shows" or "leaves out". */
      readonly losses: readonly string[];
    }
  | { readonly ok: false; readonly reason: string };

/** The limits are those of cards (contract/cards.md). A longer message is a page and no greeting. */
const maxDepth = 8;
const maxNodes = 300;

const attributesByTag: Readonly<Record<WelcomeElement['tag'], readonly string[]>> = {
  a: ['href'],
  b: [],
  br: [],
  code: [],
  em: [],
  i: [],
  img: ['src', 'alt'],
  li: [],
  ol: [],
  p: [],
  span: [],
  strong: [],
  u: [],
  ul: [],
};

const blocks: ReadonlySet<string> = new Set(['p', 'ul', 'ol', 'li']);

/**
 * Turns the HTML of `welcomeMessage` into a tree of the few allowed elements (contract/configuration.md). Every other tag becomes text.
 * Attributes and addresses that are not allowed are left out.
 */
export function parseWelcomeMessage(
  html: string,
  { imageHosts }: { readonly imageHosts: readonly string[] },
): ParsedWelcome {
  const walk: Walk = { imageHosts, losses: new Set(), nodes: 0, isTooDeep: false };
  const { childNodes } = parseFragment(escapeOtherTags(html, walk.losses), {
    onParseError: ({ code }) => {
      if (code === ErrorCodes.eofInTag)
        walk.losses.add('leaves out its end, which stands inside a tag that is not closed');
    },
  });
  const message = readChildren(childNodes, 1, walk);
  const advice = 'say less here, and link to a page that says the rest';
  if (walk.isTooDeep) return { ok: false, reason: `is nested deeper than ${String(maxDepth)} elements: ${advice}` };
  if (walk.nodes > maxNodes)
    return { ok: false, reason: `has more than ${String(maxNodes)} elements and texts: ${advice}` };
  return { ok: true, message, losses: [...walk.losses] };
}

/**
 * Escapes the bracket of every other tag, so that every reader of HTML takes the tag for text. The expression follows the rules for the
 * beginning of a tag (HTML, 13.2.5.6 and 13.2.5.7). Comments stay as they are; in the value of an attribute the change has no effect.
 */
function escapeOtherTags(html: string, losses: Set<string>): string {
  return html.replace(/<!--[^]*?-->|<(?=\/?([a-z][^\s/>]{0,100}))/gi, (found, name: string | undefined) => {
    if (name === undefined || isTag(name.toLowerCase())) return found;
    losses.add(`shows <${name.slice(0, 40)}> as text`);
    return '&lt;';
  });
}

interface Walk {
  readonly imageHosts: readonly string[];
  readonly losses: Set<string>;
  nodes: number;
  isTooDeep: boolean;
}

type Child = DefaultTreeAdapterTypes.ChildNode;

function readChildren(nodes: readonly Child[], depth: number, walk: Walk): WelcomeMessage {
  if (depth > maxDepth && nodes.length > 0) {
    walk.isTooDeep = true;
    return [];
  }
  return nodes.flatMap((node, index): WelcomeMessage => {
    if (isText(node)) return readText(node.value, [nodes[index - 1], nodes[index + 1]], walk);
    if (!('tagName' in node) || !isTag(node.tagName)) return [];
    walk.nodes += 1;
    return readElement(node, node.tagName, { depth, walk });
  });
}

/** Reads a text. Line breaks and indentation between blocks belong to the source text and are not shown. */
function readText(value: string, neighbours: readonly (Child | undefined)[], walk: Walk): WelcomeMessage {
  const text = value.replace(/[ \t\n\f\r]+/g, ' ');
  const isBetweenBlocks = neighbours.some((node) => node === undefined || blocks.has(node.nodeName));
  if (text === '' || (text === ' ' && isBetweenBlocks)) return [];
  walk.nodes += 1;
  return [text];
}

function readElement(
  element: DefaultTreeAdapterTypes.Element,
  tag: WelcomeElement['tag'],
  { depth, walk }: { readonly depth: number; readonly walk: Walk },
): WelcomeMessage {
  const given = new Map(element.attrs.map(({ name, value }) => [name, value.trim()]));
  for (const name of given.keys()) {
    if (!attributesByTag[tag].includes(name)) walk.losses.add(`leaves out ${name} of <${tag}>`);
  }
  if (tag === 'img') return readImage(given, walk);
  const children = readChildren(element.childNodes, depth + 1, walk);
  const below = children.length === 0 ? {} : { children };
  if (tag !== 'a') return [{ tag, ...below }];
  const href = given.get('href') ?? '';
  if (isLinkAllowed(href)) return [{ tag, attributes: linkAttributes(href), ...below }];
  walk.losses.add('leaves out a link whose address is not http, https, mailto or relative');
  return children;
}

function readImage(given: ReadonlyMap<string, string>, { imageHosts, losses }: Walk): WelcomeMessage {
  const [src, alt] = [given.get('src') ?? '', given.get('alt') ?? ''];
  if (src !== '' && isImageAllowed(src, imageHosts))
    return [{ tag: 'img', attributes: { src, alt, loading: 'lazy', referrerpolicy: 'no-referrer' } }];
  losses.add(
    "leaves out an image that is neither the page's own, of cards.imageHosts over https nor data: of a picture",
  );
  return alt === '' ? [] : [alt];
}

function isLinkAllowed(address: string): boolean {
  if (isRelative(address)) return address !== '';
  return URL.canParse(address) && ['http:', 'https:', 'mailto:'].includes(new URL(address).protocol);
}

/** The link opens beside the conversation and sends no information about it, like every link of a reply. */
function linkAttributes(href: string): NonNullable<WelcomeElement['attributes']> {
  return { href, rel: 'noopener noreferrer nofollow', ...(!/^mailto:/i.test(href) && { target: '_blank' }) };
}

function isTag(name: string): name is WelcomeElement['tag'] {
  return Object.hasOwn(attributesByTag, name);
}

function isText(node: Child): node is DefaultTreeAdapterTypes.TextNode {
  return node.nodeName === '#text';
}
