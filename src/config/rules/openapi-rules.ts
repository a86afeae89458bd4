import { statSync } from 'node:fs';
import { matchesGlob } from '../../core/base/glob.ts';
import { isGlob, saidOfOperations, saysNothing } from '../openapi-operations.ts';
import type { HelperSettings } from '../settings.ts';
import { isLoopback } from '../warnings.ts';
import type { Rule, RuleFault } from './rule.ts';

type Entry = Exclude<HelperSettings['actions'], 'none'>['openapi'][number];
type Said = Entry['actions'][string];
type Found = readonly [path: readonly (string | number)[], message: string];

/** Headers that belong to the connection or to the content. A configuration that sets them breaks its own calls. */
const connectionHeaders: ReadonlySet<string> = new Set([
  ...['accept-encoding', 'connection', 'content-length', 'content-type', 'expect', 'host', 'keep-alive', 'te'],
  ...['trailer', 'transfer-encoding', 'upgrade'],
]);

/** Entries have names of their own, documents that are there, and secrets that nobody can read on the way (contract/openapi.md#configuration). */
export const openapiRule: Rule = ({ actions }) => {
  if (actions === 'none') return [];
  return actions.openapi.flatMap((entry, index): readonly RuleFault[] => {
    const first = actions.openapi.findIndex(({ name }) => name === entry.name);
    const twin: Found = [['name'], `openapi[${String(first)}] has the same name; names are unique`];
    const found = [...(first === index ? [] : [twin]), ...documentFaults(entry), ...headerFaults(entry)];
    return [...found, ...operationFaults(entry)].map(([path, message]) => ({
      path: ['actions', 'openapi', index, ...path],
      message,
    }));
  });
};

function documentFaults({ document }: Entry): readonly Found[] {
  if (/^https?:\/\//i.test(document))
    return /^https?:\/\/[^/?#@\\\s]+([/?][^#\s]*)?$/i.test(document) && URL.canParse(document)
      ? []
      : [[['document'], 'is no address; it has no user name and no fragment']];
  const entry = statSync(document, { throwIfNoEntry: false });
  if (entry?.isFile() === true) return [];
  return [[['document'], entry === undefined ? `there is no file ${document}` : `${document} is not a file`]];
}

function headerFaults({ headers, forwardAuthorization, baseUrl }: Entry): readonly Found[] {
  const names = Object.keys(headers);
  const closed = names.filter((name) => connectionHeaders.has(name.toLowerCase()));
  const { protocol, hostname, search } = new URL(baseUrl);
  const isSafe = protocol === 'https:' || isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'));
  const isTwice = forwardAuthorization && names.some((name) => name.toLowerCase() === 'authorization');
  return [
    ...closed.map((name): Found => [['headers', name], 'belongs to the connection, and cannot be set']),
    ...(isTwice
      ? [[['forwardAuthorization'], 'stands beside a header Authorization; there can be only one'] satisfies Found]
      : []),
    ...(forwardAuthorization && !isSafe
      ? [[['baseUrl'], 'forwardAuthorization needs https: a token in plain http can be read'] satisfies Found]
      : []),
    ...(search === '' ? [] : [[['baseUrl'], 'has a query, and paths cannot follow a query'] satisfies Found]),
  ];
}

function operationFaults(entry: Entry): readonly Found[] {
  const { operations } = entry;
  const isList = Array.isArray(operations);
  const named: Readonly<Record<string, Said>> = isList ? {} : (operations as Readonly<Record<string, Said>>); // the two kinds of the schema
  const globs = saidOfOperations(entry).operations;
  return [
    ...(globs.length === 0 ? [[['operations'], 'names no operation'] satisfies Found] : []),
    ...Object.entries(named).flatMap(([key, said]) => namedFaults(key, said)),
    ...Object.entries(entry.actions).flatMap(([key, said]): readonly Found[] => [
      ...(Object.hasOwn(named, key)
        ? [[['actions', key], 'stands in operations as well; say it there'] satisfies Found]
        : []),
      ...(globs.some((glob) => matchesGlob(glob, key)) || globs.some((glob) => mayName(glob, key))
        ? []
        : [[['actions', key], 'is none of operations, so it says nothing'] satisfies Found]),
      ...contradictions(['actions', key], said),
    ]),
  ];
}

/** A method and a path may be of an operation that is named by its id, and the other way round. Only the document knows. */
function mayName(glob: string, key: string): boolean {
  return isPlace(glob) !== isPlace(key);
}

function isPlace(name: string): boolean {
  return /^[A-Z*]{1,10} [/*]/.test(name);
}

function namedFaults(key: string, said: Said): readonly Found[] {
  if (isGlob(key) && !saysNothing(said))
    return [[['operations', key], 'names several operations; say it of a single one']];
  return contradictions(['operations', key], said);
}

function contradictions(
  path: readonly string[],
  { readOnly, requiresConfirmation, destructive }: Said,
): readonly Found[] {
  const contradicted =
    destructive === true && readOnly === true
      ? 'readOnly: true'
      : destructive === true && requiresConfirmation === false
        ? 'requiresConfirmation: false'
        : undefined;
  return contradicted === undefined ? [] : [[[...path, 'destructive'], `cannot stand beside ${contradicted}`]];
}
