import { maxArgumentLevels } from '../base/json-depth.ts';

/** Where a call sends something: a text or a number under a parameter with `sink: true`. */
export interface SinkValue {
  /** The top-level parameter that holds the value. */
  readonly parameter: string;
  /** A text, or a number as JSON writes it. */
  readonly text: string;
}

type Json = Readonly<Record<string, unknown>>;

/** Keywords whose schemas describe the same value as the schema that has the keyword. */
const sameValue = ['allOf', 'anyOf', 'oneOf'] as const;
/** Whether a schema has a sink. The answer is kept, because each call asks and most schemas have none. */
const declaring = new WeakMap<Json, boolean>();

/** Whether any parameter says where something goes (contract/provenance.md#sinks). */
export function hasSinks(parameters: Json): boolean {
  const known = declaring.get(parameters) ?? JSON.stringify(parameters).includes('"sink":true');
  declaring.set(parameters, known);
  return known;
}

/** The names of parameters that are sinks, or hold one. */
export function sinkNames(parameters: Json): readonly string[] {
  if (!hasSinks(parameters)) return [];
  return Object.entries(asJson(parameters['properties'])).flatMap(([name, schema]) => {
    return leadsToSink(schema, parameters) ? [name] : [];
  });
}

/** The parameters as the model is told of them. The marks `sink` are left out, because some providers do not accept them. */
export function withoutSinks(parameters: Json): Json {
  if (!hasSinks(parameters)) return parameters;
  const text = JSON.stringify(parameters, (key, value: unknown) =>
    key === 'sink' && value === true ? undefined : value,
  );
  return JSON.parse(text) as Json; // a JSON Schema without some members
}

/** The values under the parameters that are sinks. Empty texts, true, false and null name no destination and are left out. */
export function sinkValues(parameters: Json, argumentsValue: Json): readonly SinkValue[] {
  if (!hasSinks(parameters)) return [];
  const found: SinkValue[] = [];
  for (const [parameter, value] of Object.entries(argumentsValue)) {
    const walk = new SinkWalk(parameters, (text) => found.push({ parameter, text }));
    walk.member(partsOf([parameters], parameters), parameter, value);
  }
  return found;
}

/**
 * Goes through a value and its schemas side by side. All schemas of one place are read together, so that a value costs at most each schema
 * once, whatever refers to what.
 */
class SinkWalk {
  readonly #root: Json;
  readonly #found: (text: string) => void;
  #depth = 0;

  constructor(root: Json, found: (text: string) => void) {
    this.#root = root;
    this.#found = found;
  }

  /** Goes through a member of an object. Its schemas are those for patterns of names, and the one for its name or for all other members. */
  member(parts: Iterable<Json>, name: string, value: unknown): void {
    const schemas: unknown[] = [];
    for (const part of parts) {
      const properties = asJson(part['properties']);
      const patterns = Object.entries(asJson(part['patternProperties']));
      schemas.push(...patterns.flatMap(([pattern, each]) => (matches(pattern, name) ? [each] : [])));
      if (Object.hasOwn(properties, name)) schemas.push(properties[name]);
      else schemas.push(part['additionalProperties'], part['unevaluatedProperties']);
    }
    this.#value(schemas, value);
  }

  #value(schemas: readonly unknown[], value: unknown): void {
    if (this.#depth > maxArgumentLevels) return;
    this.#depth += 1;
    const parts = partsOf(schemas, this.#root);
    if (parts.some((part) => part['sink'] === true)) this.#all(value);
    else if (Array.isArray(value)) {
      const ofItems = parts.flatMap(schemasOfItems);
      for (const item of value) this.#value(ofItems, item);
    } else for (const [name, inner] of Object.entries(asJson(value))) this.member(parts, name, inner);
    this.#depth -= 1;
  }

  /** Reports every value under a sink. The names of members are reported too, because a recipient may be a name. */
  #all(value: unknown): void {
    if (typeof value === 'string' && value.trim() !== '') this.#found(value);
    else if (typeof value === 'number') this.#found(JSON.stringify(value));
    else if (Array.isArray(value)) for (const item of value) this.#all(item);
    else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        this.#found(name);
        this.#all(inner);
      }
    }
  }
}

function schemasOfItems(part: Json): readonly unknown[] {
  const byPlace = [...asList(part['prefixItems']), ...asList(part['items'])];
  return [...byPlace, part['items'], part['contains'], part['additionalItems'], part['unevaluatedItems']];
}

/** Schemas, and all that describe the same value, such as their alternatives and the schemas that they name by `$ref`. */
function partsOf(schemas: readonly unknown[], root: Json): readonly Json[] {
  const parts = new Set<Json>(schemas.filter(isJson));
  for (const part of parts) {
    const named = [part['$ref'], part['$dynamicRef']].flatMap((name) => (isText(name) ? [referred(name, root)] : []));
    const dependent = Object.values(asJson(part['dependentSchemas']));
    const alternatives = sameValue.flatMap((keyword) => asList(part[keyword]));
    const others = [...named, ...alternatives, ...dependent, part['then'], part['else']];
    for (const other of others) if (isJson(other)) parts.add(other);
  }
  return [...parts];
}

function leadsToSink(schema: unknown, root: Json): boolean {
  const seen = new Set<unknown>([schema]);
  for (const each of seen) {
    if (isJson(each) && each['sink'] === true) return true;
    const { $ref, $dynamicRef } = asJson(each);
    for (const name of [$ref, $dynamicRef]) if (isText(name)) seen.add(referred(name, root));
    for (const inner of Array.isArray(each) ? asList(each) : Object.values(asJson(each))) seen.add(inner);
  }
  return false;
}

/** What stands for a part of a schema that is not found here: what it describes may be a sink. */
const anySink: Json = { sink: true };

/** The part of a schema that a reference such as `#/$defs/address` names. A reference to an id or an anchor counts as one to a sink. */
function referred(reference: string, root: Json): unknown {
  if (reference !== '#' && !reference.startsWith('#/')) return anySink;
  const names = reference.slice(1).split('/').slice(1);
  const found = names.reduce<unknown>((at, name) => {
    const key = decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~');
    return Array.isArray(at) ? asList(at)[Number(key)] : asJson(at)[key];
  }, root);
  return found ?? anySink;
}

/** Whether a name fits a pattern of `patternProperties`. Counts as fitting where the pattern cannot be read. */
function matches(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(name);
  } catch {
    return true;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function asJson(value: unknown): Json {
  return isJson(value) ? value : {};
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
