import type {
  ImportedOperation,
  ReadDocument,
  RefusedOperation,
} from '../../adapters/openapi/document/imported-operation.ts';
import { oneLine } from '../../core/base/one-line.ts';

/** A configuration that begins with a document. */
export interface AdoptedConfiguration {
  /** The text of `helper.yaml`. */
  readonly text: string;
  /** Operation ids that are on: those that only read. */
  readonly on: readonly string[];
  /** Operation ids that are listed and off. */
  readonly off: readonly string[];
  /** Operations that cannot be imported. */
  readonly leftOut: number;
  /** Where the operations are called. Undefined where the document names no address. */
  readonly baseUrl: string | undefined;
}

/** Where a document is read from. */
export interface AdoptedDocument {
  /** As the configuration names it: an address, or a path from the folder of the configuration. */
  readonly named: string;
  /** The address of the document, where it has one. `servers` may be relative to it. */
  readonly address: string | undefined;
}

/** Characters of one line of a comment. */
const lineLength = 110;
/** In a configuration other characters are globs, or name variables of the environment. */
const plainId = /^[\p{L}\p{N}_.:/-][\p{L}\p{N}_.:/ -]{0,199}$/u;
const indent = '        ';

/**
 * Writes a configuration in which the operations that only read are on, and all others are listed and off
 * (contract/openapi.md#adopting). Every text of the document stands in a comment or in quotes.
 */
export function adoptedConfiguration(read: ReadDocument, document: AdoptedDocument): AdoptedConfiguration {
  const usable = read.operations.filter(({ id }) => plainId.test(id));
  const isRead = ({ method }: ImportedOperation): boolean => method === 'get' || method === 'head';
  const on = usable.filter(isRead);
  const off = usable.filter((operation) => !isRead(operation));
  const odd = read.operations
    .filter(({ id }) => !plainId.test(id))
    .map(({ id, method, path }): RefusedOperation => ({
      id,
      place: `${method.toUpperCase()} ${path}`,
      reason: 'has an operation id that a configuration cannot name',
    }));
  const refused = [...read.refused, ...odd];
  const unread = Math.max(0, read.matched - read.operations.length - read.refused.length);
  const baseUrl = baseUrlOf(read, document);
  const title = oneLine(read.title).replaceAll('$', '') || 'My application';
  const lines = [
    ...comment(`Written by "helper adopt" from ${document.named}: ${title}, OpenAPI ${read.version}.`, ''),
    ...comment('Read every line before you start the server: names and descriptions are those of the document.', ''),
    `appName: ${quoted(title)}`,
    '',
    ...comment('The demo model needs no key. docs/guides/models.md says how to name a real one.', ''),
    'chatClient: demo',
    'models:',
    '  demo: { provider: demo }',
    '',
    'actions:',
    '  openapi:',
    `    - name: ${nameOf(title)}`,
    `      document: ${quoted(document.named)}`,
    ...baseUrlLines(baseUrl),
    ...headerLines(read),
    '      operations:',
    ...comment(
      'These read (GET and HEAD), so they are on and do not ask. Is there one that changes something, or tells what not everybody may know? Take it out, or say who may under "actions".',
      indent,
    ),
    ...on.flatMap((operation) => [...described(operation), `${indent}- ${quoted(operation.id)}`]),
    ...comment(
      'These may change something, so they are off. Take the # from the last line of one to have it: it asks its user first.',
      indent,
    ),
    ...off.flatMap((operation) => [...described(operation), `${indent}# - ${quoted(operation.id)}`]),
    ...leftOutLines(refused, read, unread),
    ...comment('What holds for single operations, such as:', '      '),
    '      # actions: { someOperation: { requiredRoles: [Sales] } }',
  ];
  return {
    text: `${lines.join('\n')}\n`,
    on: on.map(({ id }) => id),
    off: off.map(({ id }) => id),
    leftOut: refused.length + read.unnamed.length + unread,
    baseUrl,
  };
}

function baseUrlLines(baseUrl: string | undefined): readonly string[] {
  const said =
    baseUrl === undefined
      ? 'The document names no address. Write that of the API here.'
      : 'As the document says. Make sure that it is the right one: arguments and headers go there.';
  return [...comment(said, '      '), `      baseUrl: ${quoted(baseUrl ?? '')}`];
}

/** The header with a key is there as soon as its `#` is gone. Until then no call has a secret. */
function headerLines({ keyHeaders }: ReadDocument): readonly string[] {
  const said =
    keyHeaders.length === 0
      ? 'Headers that each call needs, such as a key.'
      : `The document says that calls need ${keyHeaders.join(' or ')}.`;
  const [name = 'X-Api-Key'] = keyHeaders;
  const value = name.toLowerCase() === 'authorization' ? 'Bearer ${API_TOKEN}' : '${API_KEY}';
  return [
    ...comment(`${said} Everybody who may use an action acts with them.`, '      '),
    `      # headers: { ${name}: ${quoted(value)} }`,
  ];
}

function leftOutLines(
  refused: readonly RefusedOperation[],
  { unnamed }: ReadDocument,
  unread: number,
): readonly string[] {
  const lines = [
    ...refused.map(({ id, place, reason }) => `${id} (${place}): it ${reason}.`),
    ...unnamed.map((place) => `${place}: it has no operationId, so nothing can name it.`),
    ...(unread === 0
      ? []
      : [`${String(unread)} more, because the document has too many to list. Name those that you need.`]),
  ];
  if (lines.length === 0) return [];
  return [...comment('These cannot be imported:', indent), ...lines.flatMap((line) => comment(line, indent))];
}

function described({ toolName, method, path, description }: ImportedOperation): readonly string[] {
  return comment(`${toolName} (${method.toUpperCase()} ${path}): ${description}`, indent);
}

/** The first server of the document that is an http or https address without variables. */
function baseUrlOf({ servers }: ReadDocument, { address }: AdoptedDocument): string | undefined {
  for (const server of servers) {
    if (/[{}$\s\\]/.test(server) || !URL.canParse(server, address)) continue;
    const { protocol, username, password, origin, pathname } = new URL(server, address);
    if ((protocol === 'https:' || protocol === 'http:') && username === '' && password === '')
      return `${origin}${pathname.replace(/(?<!\/)\/+$/, '')}`;
  }
  return undefined;
}

/** A name for the API, of the letters that the configuration takes. */
function nameOf(title: string): string {
  const words = title.toLowerCase().split(/[^a-z0-9]+/);
  const name = words
    .filter((word) => word !== '')
    .join('-')
    .slice(0, 40)
    .replace(/-$/, '');
  return /^[a-z]/.test(name) ? name : `api${name === '' ? '' : `-${name}`}`;
}

/** A text as YAML reads it back. No text of a document that comes here has a dollar before a brace, which would name a variable. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

/** A text of anybody as lines of a comment. */
function comment(text: string, before: string): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of oneLine(text).split(' ')) {
    if (line !== '' && line.length + word.length + 1 > lineLength) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((content) => `${before}# ${content}`);
}
