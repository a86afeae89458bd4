import type { Members } from '../../shared/members.ts';

const jsonTypes: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
const counts = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'] as const;
const bounds = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'] as const;
const mostValues = 200;
const longestText = 500;

/**
 * The keywords of a schema that hold no schemas, in the words of JSON Schema 2020-12. What OpenAPI 3.0 says otherwise is said so here.
 * Keywords that are not understood are left out: the API checks what it is sent.
 */
export function plainKeywords(schema: Members): Members {
  const isNullable = schema['nullable'] === true;
  const types = typesIn(schema['type'], isNullable);
  const text = [textIn(schema['description'], longestText), patternIn(schema['pattern'])].filter((part) => part !== '');
  const title = textIn(schema['title'], 100);
  const values: readonly unknown[] | undefined = Array.isArray(schema['enum']) ? schema['enum'] : undefined;
  const listed = values !== undefined && values.length <= mostValues && values.every(isPlain) ? values : undefined;
  return {
    ...(types === undefined ? {} : { type: types }),
    ...(title === '' ? {} : { title }),
    ...(text.length === 0 ? {} : { description: text.join(' ') }),
    ...(listed === undefined ? {} : { enum: isNullable && !listed.includes(null) ? [...listed, null] : listed }),
    ...(isPlain(schema['const']) ? { const: schema['const'] } : {}),
    ...(isPlain(schema['default']) ? { default: schema['default'] } : {}),
    ...(typeof schema['format'] === 'string' && schema['format'].length <= 40 ? { format: schema['format'] } : {}),
    ...(schema['uniqueItems'] === true ? { uniqueItems: true } : {}),
    ...Object.fromEntries(counts.flatMap((key) => (isCount(schema[key]) ? [[key, schema[key]]] : []))),
    ...numberBounds(schema),
    ...(isPositive(schema['multipleOf']) ? { multipleOf: schema['multipleOf'] } : {}),
  };
}

/** OpenAPI 3.0 says with true that a bound is exclusive; later versions give the bound itself. */
function numberBounds(schema: Members): Members {
  const found = new Map<string, number>();
  for (const key of bounds) {
    const value = schema[key];
    if (typeof value === 'number' && Number.isFinite(value)) found.set(key, value);
  }
  for (const [flag, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    const value = found.get(bound);
    if (schema[flag] !== true || value === undefined) continue;
    found.delete(bound);
    found.set(flag, value);
  }
  return Object.fromEntries(found);
}

function typesIn(declared: unknown, isNullable: boolean): unknown {
  const known = [declared].flat().filter((type) => jsonTypes.has(type));
  if (known.length === 0) return undefined;
  const types = [...new Set(isNullable ? [...known, 'null'] : known)];
  return types.length === 1 ? types[0] : types;
}

/** A pattern is told and not checked: it may take for ever, or be written for another language. */
function patternIn(pattern: unknown): string {
  const text = textIn(pattern, 200);
  return text === '' ? '' : `(pattern: ${text})`;
}

/** A text of the document, or nothing. */
export function textIn(value: unknown, longest: number): string {
  return typeof value === 'string' ? value.trim().slice(0, longest) : '';
}

function isPlain(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isPositive(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}
