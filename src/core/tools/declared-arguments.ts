import { nearestName } from '../errors/nearest-name.ts';

/** What the schema of an action says of the names of its arguments (contract/confirmations.md#what-is-shown). */
export interface DeclaredArguments {
  /** The declared names in the order of the schema, each with its title. */
  readonly titles: ReadonlyMap<string, string | undefined>;
  /** The author has opened the schema to further names, with `additionalProperties` or `patternProperties`. */
  readonly isOpen: boolean;
}

/** Most faults that are reported, and most characters of a name in one of them. */
const mostFaults = 20;
const longestPath = 200;

type Members = Readonly<Record<string, unknown>>;

/** Keywords whose schemas apply to the same object. */
const lists = ['allOf', 'anyOf', 'oneOf'] as const;
const schemas = ['if', 'then', 'else'] as const;

/** What was read of the schemas of tools, which never change. A call is checked several times. */
const known = new WeakMap<Members, DeclaredArguments>();

/** Which arguments a JSON Schema of type object declares, also in the schemas that it refers to. The schema MUST NOT change afterwards. */
export function declaredArguments(parameters: Members): DeclaredArguments {
  const declared = known.get(parameters) ?? readDeclared(parameters);
  known.set(parameters, declared);
  return declared;
}

function readDeclared(parameters: Members): DeclaredArguments {
  const titles = new Map<string, string | undefined>();
  const seen = new Set<unknown>();
  let isOpen = false;
  const read = (schema: unknown): void => {
    if (!isMembers(schema) || seen.has(schema)) return;
    seen.add(schema);
    for (const [name, property] of membersOf(schema['properties'])) {
      const title = isMembers(property) ? property['title'] : undefined;
      titles.set(name, titles.get(name) ?? (typeof title === 'string' && title !== '' ? title : undefined));
    }
    for (const name of listOf(schema['required']))
      if (typeof name === 'string' && !titles.has(name)) titles.set(name, undefined);
    isOpen ||= opens(schema['additionalProperties']) || opens(schema['unevaluatedProperties']);
    isOpen ||= membersOf(schema['patternProperties']).length > 0;
    for (const keyword of lists) for (const inner of listOf(schema[keyword])) read(inner);
    for (const keyword of schemas) read(schema[keyword]);
    for (const [, inner] of membersOf(schema['dependentSchemas'])) read(inner);
    const reference = schema['$ref'] ?? schema['$dynamicRef'];
    const found = typeof reference === 'string' ? referred(parameters, reference) : undefined;
    read(found);
    // What such a schema declares is not known here.
    isOpen ||= reference !== undefined && found === undefined;
  };
  read(parameters);
  return { titles, isOpen };
}

/** The names of arguments that the author of the action has neither declared nor left open, as the faults of a call. */
export function undeclaredFaults(
  parameters: Members,
  argumentsValue: Members,
): readonly { readonly path: string; readonly words: string }[] {
  const { titles, isOpen } = declaredArguments(parameters);
  if (isOpen) return [];
  const unknown = Object.keys(argumentsValue).filter((name) => !titles.has(name));
  return unknown.slice(0, mostFaults).map((name) => {
    const nearest = nearestName(name, titles.keys());
    const hint = nearest === undefined ? '' : `, did you mean ${nearest}?`;
    return { path: name.slice(0, longestPath), words: `is not known${hint}` };
  });
}

function opens(rule: unknown): boolean {
  return rule !== undefined && rule !== false;
}

/** The schema that a reference inside of this one leads to. Undefined where it leads nowhere, or out of it. */
export function referred(root: Members, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined;
  let found: unknown = root;
  for (const step of reference.slice(1).split('/').slice(1)) {
    const name = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
    found =
      typeof found === 'object' && found !== null && Object.hasOwn(found, name) ? Reflect.get(found, name) : undefined;
  }
  return found;
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

function membersOf(value: unknown): readonly (readonly [string, unknown])[] {
  return isMembers(value) ? Object.entries(value) : [];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
