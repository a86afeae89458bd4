import { jsonText } from '../base/json-text.ts';

type Members = Readonly<Record<string, unknown>>;

/** The path of a value in the arguments, and the steps that its check may still take. */
interface Place {
  readonly path: string;
  readonly budget: { steps: number };
}

interface Keyword {
  /** Whether a schema may have this value for the keyword. */
  readonly takes: (rule: unknown) => boolean;
  /** The schemas that the value of the keyword holds. */
  readonly inner?: (rule: unknown) => readonly unknown[];
  /** One line per fault of `value`. Left out: the keyword informs people and models, and is not checked. */
  readonly faults?: (value: unknown, rule: unknown, place: Place & { readonly schema: Members }) => readonly string[];
}

/** Most levels of nested schemas. Model providers accept about ten. */
const maxLevels = 8;
/** Most faults that are reported. The model can correct its call with these. */
const maxFaults = 20;
/** Most steps of one check. They take only a moment, and honest arguments need fewer. */
const maxSteps = 100_000;
/** Most characters of the arguments as JSON. The answer of a page has the same limit. */
const maxArguments = 64 * 1024;
const typeNames = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

/**
 * The reason why the JSON Schema of a page's action is refused. Undefined when it is accepted. A page is not trusted, so its schemas are
 * never compiled. They are read for each check, and may use only the keywords that are cheap to check. Patterns and references are not
 * among these.
 */
export function pageSchemaFault(schema: unknown): string | undefined {
  if (!isMembers(schema) || schema['type'] !== 'object') return 'is not a JSON Schema whose type is object';
  return faultIn(schema, maxLevels);
}

/**
 * Checks arguments against a schema that `pageSchemaFault` accepts. Returns one line per fault, which names the argument. A check that
 * would take long is a fault, because the page chooses the schema and may talk the model into the arguments.
 */
export function pageSchemaFaults(schema: Members, value: unknown): readonly string[] {
  if (jsonText(value).length > maxArguments) return ['arguments: must not exceed 64 KiB'];
  const budget = { steps: maxSteps };
  const faults = faultsOf(value, schema, { path: '', budget });
  return budget.steps < 0 ? ['arguments: take too long to be checked'] : faults.slice(0, maxFaults);
}

function faultIn(schema: unknown, levels: number): string | undefined {
  if (typeof schema === 'boolean') return undefined;
  if (!isMembers(schema)) return 'holds something that is no schema';
  if (levels === 0) return `has more than ${String(maxLevels)} schemas in each other`;
  for (const [name, rule] of Object.entries(schema)) {
    const keyword = keywords.get(name);
    if (keyword === undefined) return `uses ${JSON.stringify(name)}, which pages cannot use`;
    if (!keyword.takes(rule)) return `has a wrong value of ${JSON.stringify(name)}`;
    for (const inner of keyword.inner?.(rule) ?? []) {
      const fault = faultIn(inner, levels - 1);
      if (fault !== undefined) return fault;
    }
  }
  return undefined;
}

function faultsOf(value: unknown, schema: unknown, place: Place): readonly string[] {
  const { path, budget } = place;
  budget.steps -= 1;
  if (budget.steps < 0) return [];
  if (!isMembers(schema)) return schema === false ? [fault(path, 'is not allowed')] : [];
  return Object.entries(schema).flatMap(([name, rule]) => {
    budget.steps -= stepsOf(rule);
    return (budget.steps >= 0 && keywords.get(name)?.faults?.(value, rule, { ...place, schema })) || [];
  });
}

/** The steps that a keyword costs. The check walks through the keyword's value for each value that it checks. */
function stepsOf(rule: unknown): number {
  if (isList(rule)) return rule.length;
  return isMembers(rule) ? Object.keys(rule).length : 1;
}

/** The place of a member. */
function within({ path, budget }: Place, name: string): Place {
  return { path: join(path, name), budget };
}

function fault(path: string, words: string): string {
  return `${path === '' ? 'arguments' : path.slice(0, 200)}: ${words.slice(0, 500)}`;
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function isMembers(value: unknown): value is Members {
  return typeOf(value) === 'object';
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isTexts(value: unknown): value is readonly string[] {
  return isList(value) && value.every(isText);
}

function isFilledList(value: unknown): value is readonly unknown[] {
  return isList(value) && value.length > 0;
}

const said: Keyword = { takes: isText };
const anything: Keyword = { takes: () => true };
const flag: Keyword = { takes: (rule) => typeof rule === 'boolean' };

/** A property of a value that can be measured, and the bounds that a schema may set for it. */
interface Measure {
  readonly takes: Keyword['takes'];
  /** The measured number. Undefined: the value has no such property, so no bound applies. */
  readonly of: (value: unknown) => number | undefined;
}

const amount: Measure = { takes: isNumber, of: (value) => (isNumber(value) ? value : undefined) };
const size: Measure = { takes: isCount, of: (value) => (isList(value) ? value.length : undefined) };
/** JSON Schema counts characters, not code units. */
const length: Measure = { takes: isCount, of: (value) => (isText(value) ? charactersIn(value) : undefined) };

function charactersIn(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1) count += 1;
  return count;
}

function bound(measure: Measure, holds: (measured: number, limit: number) => boolean, words: string): Keyword {
  return {
    takes: measure.takes,
    faults: (value, limit, { path }) => {
      const measured = measure.of(value);
      const isKept = measured === undefined || holds(measured, Number(limit));
      return isKept ? [] : [fault(path, `${words} ${String(limit)}`)];
    },
  };
}

/** A keyword with a list of schemas. `isKept` tells whether enough of them fit. */
function combination(isKept: (fitting: number, all: number) => boolean, words: string): Keyword {
  return {
    takes: isFilledList,
    inner: (rule) => (isList(rule) ? rule : []),
    faults: (value, rule, place) => {
      const schemas = isList(rule) ? rule : [];
      const fitting = schemas.filter((schema) => faultsOf(value, schema, place).length === 0).length;
      return isKept(fitting, schemas.length) ? [] : [fault(place.path, words)];
    },
  };
}

/** Whether a value equals `given`, a value of the schema. The cost depends only on the size of `given`. */
function isSame(given: unknown, value: unknown): boolean {
  if (isList(given)) {
    return isList(value) && value.length === given.length && given.every((item, index) => isSame(item, value[index]));
  }
  if (!isMembers(given)) return given === value;
  const names = Object.keys(given);
  return (
    isMembers(value) &&
    Object.keys(value).length === names.length &&
    names.every((name) => Object.hasOwn(value, name) && isSame(given[name], value[name]))
  );
}

function isOfType(value: unknown, name: unknown): boolean {
  return name === 'integer' ? Number.isInteger(value) : name === typeOf(value);
}

const atLeast = (measured: number, limit: number): boolean => measured >= limit;
const atMost = (measured: number, limit: number): boolean => measured <= limit;

/** The keywords are a map and no object, because a page may use the names of inherited members (such as `constructor`) as keywords. */
const keywords: ReadonlyMap<string, Keyword> = new Map<string, Keyword>([
  ['title', said],
  ['description', said],
  ['format', said],
  ['$schema', said],
  ['$comment', said],
  ['default', anything],
  ['examples', { takes: isList }],
  ['deprecated', flag],
  ['readOnly', flag],
  ['writeOnly', flag],
  // `sink-values.ts` reads this keyword. It can only make a call ask more often, so a page may use it.
  ['sink', flag],
  [
    'type',
    {
      takes: (rule) => (isFilledList(rule) ? rule : [rule]).every((name) => isText(name) && typeNames.includes(name)),
      faults: (value, rule, { path }) => {
        const names = isList(rule) ? rule : [rule];
        return names.some((name) => isOfType(value, name)) ? [] : [fault(path, `must be ${names.join(' or ')}`)];
      },
    },
  ],
  [
    'enum',
    {
      takes: isFilledList,
      faults: (value, rule, { path }) => {
        const listed = isList(rule) ? rule : [];
        return listed.some((each) => isSame(each, value))
          ? []
          : [fault(path, `must be one of ${JSON.stringify(rule)}`)];
      },
    },
  ],
  [
    'const',
    {
      takes: () => true,
      faults: (value, rule, { path }) => (isSame(rule, value) ? [] : [fault(path, `must be ${JSON.stringify(rule)}`)]),
    },
  ],
  [
    'properties',
    {
      takes: (rule) => isMembers(rule) && !Object.hasOwn(rule, '__proto__'),
      inner: (rule) => (isMembers(rule) ? Object.values(rule) : []),
      faults: (value, rule, place) =>
        isMembers(value) && isMembers(rule)
          ? Object.entries(rule)
              .filter(([name]) => Object.hasOwn(value, name))
              .flatMap(([name, schema]) => faultsOf(value[name], schema, within(place, name)))
          : [],
    },
  ],
  [
    'required',
    {
      takes: isTexts,
      faults: (value, rule, { path }) =>
        isMembers(value) && isTexts(rule)
          ? rule.filter((name) => !Object.hasOwn(value, name)).map((name) => fault(join(path, name), 'is required'))
          : [],
    },
  ],
  [
    'additionalProperties',
    {
      takes: () => true,
      inner: (rule) => [rule],
      faults: (value, rule, { schema, ...place }) => {
        const known = isMembers(schema['properties']) ? schema['properties'] : {};
        const others = isMembers(value) ? Object.entries(value).filter(([name]) => !Object.hasOwn(known, name)) : [];
        return others.flatMap(([name, member]) => faultsOf(member, rule, within(place, name)));
      },
    },
  ],
  [
    'items',
    {
      takes: () => true,
      inner: (rule) => [rule],
      faults: (value, rule, { path, budget }) =>
        isList(value)
          ? value.flatMap((item, index) => faultsOf(item, rule, { path: `${path}[${String(index)}]`, budget }))
          : [],
    },
  ],
  ['minItems', bound(size, atLeast, 'must have no fewer entries than')],
  ['maxItems', bound(size, atMost, 'must have no more entries than')],
  ['minLength', bound(length, atLeast, 'must have no fewer characters than')],
  ['maxLength', bound(length, atMost, 'must have no more characters than')],
  ['minimum', bound(amount, atLeast, 'must be at least')],
  ['maximum', bound(amount, atMost, 'must be at most')],
  ['exclusiveMinimum', bound(amount, (measured, limit) => measured > limit, 'must be more than')],
  ['exclusiveMaximum', bound(amount, (measured, limit) => measured < limit, 'must be less than')],
  ['allOf', combination((fitting, all) => fitting === all, 'must fit every schema of allOf')],
  ['anyOf', combination((fitting) => fitting > 0, 'must fit a schema of anyOf')],
  ['oneOf', combination((fitting) => fitting === 1, 'must fit exactly one schema of oneOf')],
]);
