import { isDeeperThan } from '../base/json-depth.ts';
import { globPredicate } from '../base/glob.ts';
import { isImageAllowed, isRelative } from './addresses.ts';

/** Limits of one card (contract/cards.md). */
const maxBytes = 64 * 1024;
const maxDepth = 8;
/** Most levels of nested lists and objects, including the data of a submit. Deeper JSON can break the programs that read it. */
const maxJsonDepth = 64;
const maxNodes = 300;

const elementTypes = new Set([
  'TextBlock',
  'FactSet',
  'Image',
  'Table',
  'TableRow',
  'TableCell',
  'ColumnSet',
  'Column',
  'Container',
  'ActionSet',
  'Input.Text',
  'Input.Number',
  'Input.Date',
  'Input.Toggle',
  'Input.ChoiceSet',
  'Action.OpenUrl',
  'Action.Submit',
  'Chart.Bar',
  'Chart.Line',
  'Chart.Pie',
  'Chart.Donut',
]);

/**
 * The properties of an element that are kept. Other properties, such as `selectAction` and `fallback`, could hold an address that is not
 * checked.
 */
const propertyNames = new Set([
  ...['type', 'version', 'body', 'actions', 'fallbackText', 'speak', 'lang', 'id', 'spacing', 'separator', 'style'],
  ...['items', 'columns', 'rows', 'cells', 'width', 'height', 'horizontalAlignment', 'verticalContentAlignment'],
  ...['text', 'size', 'weight', 'color', 'isSubtle', 'wrap', 'maxLines', 'fontType', 'facts', 'url', 'altText'],
  ...['firstRowAsHeader', 'firstRowAsHeaders', 'showGridLines', 'title', 'tooltip', 'data', 'label', 'placeholder'],
  ...['value', 'isRequired', 'errorMessage', 'isMultiline', 'maxLength', 'min', 'max', 'valueOn', 'valueOff'],
  ...['choices', 'isMultiSelect', 'xAxisTitle', 'yAxisTitle'],
]);

/** Keys whose values hold further elements. */
const childKeys = new Set(['body', 'actions', 'items', 'columns', 'rows', 'cells']);

/** Hosts that cards may name (contract/cards.md). */
export interface CardHosts {
  /** Hosts whose images may load, beside the page's own. */
  readonly images: readonly string[];
  /** Globs of the hosts to which links may lead. Empty: any host. */
  readonly links: readonly string[];
}

export type CardCheck =
  | { readonly ok: true; readonly card: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly reason: string };

type Json = Readonly<Record<string, unknown>>;

/**
 * Checks an Adaptive Card against the subset of contract/cards.md. Drops unknown elements and properties, images from hosts that are not
 * allowed, and addresses that are not https, mailto or relative. The title of a link to a host that is not listed is kept as text.
 */
export function checkCard(card: unknown, { images, links }: CardHosts): CardCheck {
  const text = serialise(card);
  if (text === undefined) return { ok: false, reason: 'the card is not JSON' };
  if (Buffer.byteLength(text) > maxBytes)
    return { ok: false, reason: `the card is larger than ${String(maxBytes)} bytes` };
  const root: unknown = JSON.parse(text);
  if (!isRecord(root)) return { ok: false, reason: 'the card is not an object' };
  if (root['type'] !== 'AdaptiveCard') return { ok: false, reason: 'its type is not AdaptiveCard' };
  if (isDeeperThan(maxJsonDepth, root)) return { ok: false, reason: 'its data is nested too deep' };
  const leadsTo = links.length === 0 ? (): boolean => true : globPredicate(links);
  const walk: Walk = { nodes: 0, imageHosts: images, leadsTo, tooDeep: false };
  const kept = cleanChildren(root, 1, walk);
  if (walk.tooDeep) return { ok: false, reason: `the card is nested deeper than ${String(maxDepth)}` };
  if (walk.nodes > maxNodes) return { ok: false, reason: `the card has more than ${String(maxNodes)} elements` };
  const words = unlinked(root, walk);
  return { ok: true, card: words.length === 0 ? kept : { ...kept, body: [...listOf(kept['body']), ...words] } };
}

interface Walk {
  nodes: number;
  readonly imageHosts: readonly string[];
  readonly leadsTo: (host: string) => boolean;
  tooDeep: boolean;
}

function cleanChildren(node: Json, depth: number, walk: Walk): Json {
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key, value]) => propertyNames.has(key) && (!childKeys.has(key) || Array.isArray(value)))
      .map(([key, value]) => [key, childKeys.has(key) && Array.isArray(value) ? cleanList(value, depth, walk) : value]),
  );
}

function cleanList(list: readonly unknown[], depth: number, walk: Walk): unknown[] {
  if (depth > maxDepth) {
    walk.tooDeep = true;
    return [];
  }
  return list.flatMap((element) => {
    walk.nodes += 1;
    if (!isRecord(element) || !isAllowed(element, walk)) return [];
    const words = element['type'] === 'ActionSet' ? unlinked(element, walk) : [];
    return [cleanChildren(element, depth + 1, walk), ...words];
  });
}

/** Text elements with the titles of the actions that lead to hosts that are not listed. */
function unlinked({ actions }: Json, walk: Walk): Json[] {
  return listOf(actions)
    .filter(isRecord)
    .flatMap(({ type, title, url }) => {
      const isText = type === 'Action.OpenUrl' && isLinkAllowed(url) && !isLinkAllowed(url, walk.leadsTo);
      return isText && typeof title === 'string' && title !== ''
        ? [{ type: 'TextBlock', text: title, wrap: true }]
        : [];
    });
}

function isAllowed(element: Json, { imageHosts, leadsTo }: Walk): boolean {
  const type = element['type'];
  // Columns, table rows and cells may leave their type out.
  if (type === undefined) return true;
  if (typeof type !== 'string' || !elementTypes.has(type)) return false;
  if (type === 'Image') return isImageAllowed(element['url'], imageHosts);
  if (type === 'Action.OpenUrl') return isLinkAllowed(element['url'], leadsTo);
  return true;
}

function isLinkAllowed(url: unknown, leadsTo = (_host: string): boolean => true): boolean {
  if (typeof url !== 'string') return false;
  if (isRelative(url)) return true;
  if (!URL.canParse(url)) return false;
  const { protocol, host } = new URL(url);
  return protocol === 'mailto:' || (protocol === 'https:' && leadsTo(host));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function serialise(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
