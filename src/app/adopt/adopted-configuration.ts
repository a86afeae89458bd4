import type {
  ImportedOperation,
  ReadDocument,
  RefusedOperation,
} from '../../adapters/openapi/document/imported-operation.ts';
import { placeNamed, placeOf } from '../../adapters/openapi/document/operation-parts.ts';
import { oneLine } from '../../core/base/one-line.ts';

/** A configuration that begins with a document. */
export interface AdoptedConfiguration {
  /** The text of `helper.yaml`. */
  readonly text: string;
  /** Operation ids that are on: those that only read. */
  readonly on: readonly string[];
  /** Operation ids that are listed and off. */
  readonly off: readonly string[];
  /** How many operations the document has. */
  readonly total: number;
  /** Operations that are not listed, one line for each, with the reason. */
  readonly leftOut: readonly string[];
  /** How many of them have no line, because the document has too many operations. */
  readonly unread: number;
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
const indent = '        ';

/**
 * Writes a configuration in which the operations that only read are on, and all others are listed and off
 * (contract/openapi.md#adopting). Every text of the document stands in a comment or in quotes.
 */
export function adoptedConfiguration(read: ReadDocument, document: AdoptedDocument): AdoptedConfiguration {
  const usable = read.operations.flatMap((operation) => {
    const key = keyOf(operation);
    return key === undefined ? [] : [{ ...operation, key }];
  });
  const isRead = ({ method }: ImportedOperation): boolean => method === 'get' || method === 'head';
  const on = usable.filter(isRead);
  const off = usable.filter((operation) => !isRead(operation));
  const odd = read.operations
    .filter((operation) => keyOf(operation) === undefined)
    .map((operation): RefusedOperation => ({
      id: operation.id,
      place: placeOf(operation),
      reason: 'has an id and a path that a configuration cannot name',
    }));
  const leftOut = [...read.refused, ...odd].map(
    ({ id, place, reason }) => `${id === place ? place : `${id.slice(0, 200)} (${place})`}: it ${reason}.`,
  );
  const unread = Math.max(0, read.total - usable.length - leftOut.length);
  const baseUrl = baseUrlOf(read, document);
  const title = oneLine(read.title).replaceAll('$', '') || 'My application';
  const lines = [
    ...headLines(title, read, document),
    ...entryLines({ read, document, title, baseUrl, on, off, leftOut, unread }),
  ];
  return {
    text: `${lines.join('\n')}\n`,
    on: on.map(({ key }) => key),
    off: off.map(({ key }) => key),
    total: read.total,
    leftOut,
    unread,
    baseUrl,
  };
}

/** What does not depend on the operations. */
function headLines(title: string, read: ReadDocument, document: AdoptedDocument): readonly string[] {
  return [
    ...comment(`Written by "helper adopt" from ${document.named}: ${title}, ${versionOf(read)}.`, ''),
    ...comment('Read every line before you start the server: names and descriptions are those of the document.', ''),
    '',
    `appName: ${quoted(title)}`,
    '',
    ...comment('The demo model needs no key. docs/guides/models.md says how to name a real one.', ''),
    'chatClient: demo',
    'models:',
    '  demo: { provider: demo }',
    '',
    ...comment('A page to try it on, at the address of the server. Take it out where strangers reach the server.', ''),
    'demoPage: true',
    '',
  ];
}

type Listed = ImportedOperation & { readonly key: string };

interface Entry {
  readonly read: ReadDocument;
  readonly document: AdoptedDocument;
  readonly title: string;
  readonly baseUrl: string | undefined;
  readonly on: readonly Listed[];
  readonly off: readonly Listed[];
  readonly leftOut: readonly string[];
  readonly unread: number;
}

function entryLines({ read, document, title, baseUrl, on, off, leftOut, unread }: Entry): readonly string[] {
  return [
    'actions:',
    '  openapi:',
    `    - name: ${nameOf(title)}`,
    `      document: ${quoted(document.named)}`,
    ...baseUrlLines(baseUrl),
    ...headerLines(read),
    '',
    '      operations:',
    ...comment(
      'These read (GET and HEAD), so they are on and do not ask. Is there one that changes something, or tells what not everybody may know? Take it out, or say who may under "actions".',
      indent,
    ),
    ...on.flatMap((operation) => ['', ...described(operation), `${indent}- ${quoted(operation.key)}`]),
    '',
    ...comment(
      'These may change something, so they are off. Take the # from the last line of one to have it: it asks its user first.',
      indent,
    ),
    ...off.flatMap((operation) => ['', ...described(operation), `${indent}# - ${quoted(operation.key)}`]),
    ...leftOutLines(leftOut, unread),
    '',
    ...comment('What holds for single operations, such as their names and who may use them:', '      '),
    '      # actions: { someOperation: { name: some_name, requiredRoles: [Sales] } }',
  ];
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

function leftOutLines(leftOut: readonly string[], unread: number): readonly string[] {
  const more = `${String(unread)} more, because the document has too many to list. Name those that you need.`;
  const lines = [...leftOut, ...(unread === 0 ? [] : [more])];
  if (lines.length === 0) return [];
  return ['', ...comment('These are left out:', indent), ...lines.flatMap((line) => comment(line, indent))];
}

function described({ toolName, method, path, description }: ImportedOperation): readonly string[] {
  const place = `${method.toUpperCase()} ${path}`;
  return comment(`${toolName} (${place})${description === place ? '' : `: ${description}`}`, indent);
}

/** How a configuration names an operation: by its id, else by its method and path. Undefined where it can do neither. */
function keyOf(operation: ImportedOperation): string | undefined {
  return [operation.id, placeNamed(operation)].find(isNameable);
}

/** Stars and question marks are globs, and a dollar before a brace names a variable of the environment. */
function isNameable(key: string): boolean {
  return key.length <= 500 && key.trim() === key && !/[*?\p{C}\p{Zl}\p{Zp}]|\$\{/u.test(key);
}

function versionOf({ version }: ReadDocument): string {
  return `${version === '2.0' ? 'Swagger' : 'OpenAPI'} ${version}`;
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
