import { listOf, objectOf } from '../json-values.ts';
import type { ArgumentSite } from './argument-sites.ts';
import type { SchemaMembers, SchemaSource } from './resolved-schema.ts';

/** An object schema without combiners: what all of them together declare. */
interface ObjectParts {
  readonly properties: ReadonlyMap<string, unknown>;
  readonly required: readonly string[];
  /** Sets of names of which one is needed. */
  readonly alternatives: readonly (readonly string[])[];
}

const mostAlternatives = 8;

/** Keywords whose schemas hold for the same object, or that no provider takes at the top. */
const combining: ReadonlySet<string> = new Set([
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas', 'enum', 'const'],
]);

/**
 * The schema of the arguments of a tool as one object: no provider takes combiners there. What any branch declares may be given; what all
 * branches need is needed, and what only some need is said in words.
 */
export function objectSchema(
  root: unknown,
  {
    source,
    site,
    seen: before = [],
  }: { readonly source: SchemaSource; readonly site: ArgumentSite; readonly seen?: readonly string[] },
): SchemaMembers {
  const { schema, seen } = source.resolved(root, before);
  const own = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !combining.has(keyword)));
  if (Object.keys(own).length === Object.keys(schema).length) return { ...own, type: 'object' };
  const { properties, required, alternatives } = partsOf(schema, source, seen);
  const words = alternativesText(alternatives.map((names) => names.map((name) => site.nameOf(name))));
  const description = [typeof own['description'] === 'string' ? own['description'] : '', words].filter(
    (text) => text !== '',
  );
  return {
    ...own,
    type: 'object',
    properties: Object.fromEntries(properties),
    required,
    ...(description.length === 0 ? {} : { description: description.join('\n') }),
  };
}

function partsOf(schema: SchemaMembers, source: SchemaSource, seen: readonly string[]): ObjectParts {
  const properties = new Map(Object.entries(objectOf(schema['properties']) ?? {}));
  const required = new Set(namesIn(schema['required']));
  const alternatives: (readonly string[])[] = [];
  const branch = (one: unknown): ObjectParts => {
    const resolved = source.resolved(one, seen);
    const parts = partsOf(resolved.schema, source, resolved.seen);
    for (const [name, property] of parts.properties) properties.set(name, joined(properties.get(name), property));
    return parts;
  };
  for (const one of listOf(schema['allOf'])) for (const name of branch(one).required) required.add(name);
  for (const keyword of ['anyOf', 'oneOf']) {
    const branches = listOf(schema[keyword]).map(branch);
    const [first] = branches;
    for (const name of first?.required ?? [])
      if (branches.every((one) => one.required.includes(name))) required.add(name);
    const sets = branches.map((one) => one.required.filter((name) => !required.has(name)));
    if (sets.some((names) => names.length > 0)) alternatives.push(...sets);
  }
  for (const keyword of ['then', 'else']) if (schema[keyword] !== undefined) branch(schema[keyword]);
  for (const one of Object.values(objectOf(schema['dependentSchemas']) ?? {})) branch(one);
  return { properties, required: [...required], alternatives };
}

/** Two schemas of one property, either of which may hold. */
function joined(before: unknown, next: unknown): unknown {
  if (before === undefined || JSON.stringify(before) === JSON.stringify(next)) return next;
  const [one, other] = [objectOf(before), objectOf(next)];
  const [values, more] = [one, other].map((schema) => valuesOf(schema));
  if (values !== undefined && more !== undefined) {
    const { const: _, ...rest } = one ?? {};
    return { ...rest, enum: [...new Set([...values, ...more])] };
  }
  const branches = listOf(one?.['anyOf']);
  // Only `anyOf` that was made here, or says nothing else.
  const known = one !== undefined && Object.keys(one).length === 1 && branches.length > 0 ? branches : [before];
  return { anyOf: [...known, next] };
}

function valuesOf(schema: SchemaMembers | undefined): readonly unknown[] | undefined {
  if (schema === undefined) return undefined;
  if (Object.hasOwn(schema, 'const')) return [schema['const']];
  return Array.isArray(schema['enum']) ? listOf(schema['enum']) : undefined;
}

function alternativesText(sets: readonly (readonly string[])[]): string {
  const texts = [...new Set(sets.map((names) => names.join(' and ')))].filter((text) => text !== '');
  if (texts.length < 2) return '';
  return `Give one of these: ${texts.slice(0, mostAlternatives).join('; or ')}.`;
}

function namesIn(required: unknown): readonly string[] {
  return listOf(required).filter((name) => typeof name === 'string');
}
