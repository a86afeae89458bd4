import { listOf, objectOf } from '../json-values.ts';
import { schemaOf, type SchemaMembers } from './resolved-schema.ts';
import type { SchemaDialect } from './schema-dialect.ts';

const types = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'] as const;
type TypeName = (typeof types)[number];

const counts = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'] as const;
const numbers = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'] as const;
const texts = ['title', 'description', 'format', 'pattern'] as const;

/** The formats that Gemini takes. */
const openApiFormats: Readonly<Record<string, readonly string[]>> = {
  string: ['enum', 'date-time'],
  number: ['float', 'double'],
  integer: ['int32', 'int64'],
};

/** What a value may be that nothing is said of. Gemini wants a type, and a text can say anything. */
const anything: TypeName = 'string';

/** The types that a schema names, or shows by its other keywords. None: it does not say. */
export function typesOf(schema: SchemaMembers): readonly TypeName[] {
  const given = listOf(Array.isArray(schema['type']) ? schema['type'] : [schema['type']]);
  const named = types.filter((type) => given.includes(type));
  if (named.length > 0) return schema['nullable'] === true && !named.includes('null') ? [...named, 'null'] : named;
  if (objectOf(schema['properties']) !== undefined) return ['object'];
  if (schema['items'] !== undefined || schema['prefixItems'] !== undefined) return ['array'];
  return [];
}

/** A schema whose own schemas are fitted, with the keywords and values that a provider takes. */
export function fittingKeywords(schema: SchemaMembers, dialect: SchemaDialect): SchemaMembers {
  const sound = soundKeywords(schema);
  const whole = dialect.kind === 'openapi' ? asOpenApi(sound) : asJsonSchema(sound);
  return Object.fromEntries(
    Object.entries(whole).filter(([keyword, value]) => value !== undefined && dialect.keywords.has(keyword)),
  );
}

/** The keywords as JSON Schema 2020-12 has them. Values that no such schema has are left out. */
function soundKeywords(schema: SchemaMembers): SchemaMembers {
  const sound: Record<string, unknown> = { ...schema };
  // Before it was a number, it said that `minimum` itself is not allowed.
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (schema[exclusive] !== true) continue;
    sound[exclusive] = schema[bound];
    sound[bound] = undefined;
  }
  for (const keyword of numbers) if (typeof sound[keyword] !== 'number') sound[keyword] = undefined;
  for (const keyword of counts) if (!isCount(sound[keyword])) sound[keyword] = undefined;
  for (const keyword of texts) if (typeof sound[keyword] !== 'string') sound[keyword] = undefined;
  for (const keyword of ['enum', 'examples']) if (!Array.isArray(sound[keyword])) sound[keyword] = undefined;
  if (listOf(sound['enum']).length === 0) sound['enum'] = undefined;
  if (typeof sound['uniqueItems'] !== 'boolean') sound['uniqueItems'] = undefined;
  if (listOf(sound['required']).length === 0) sound['required'] = undefined;
  const others = sound['additionalProperties'];
  if (typeof others !== 'boolean' && objectOf(others) === undefined) sound['additionalProperties'] = undefined;
  return sound;
}

function asJsonSchema(schema: SchemaMembers): SchemaMembers {
  const named = typesOf(schema);
  const values = schema['enum'] === undefined ? undefined : [...new Set(listOf(schema['enum']))];
  const isNullable = schema['nullable'] === true && values !== undefined && !values.includes(null);
  const { pattern, description } = schema;
  const refused = typeof pattern === 'string' && !isCommonPattern(pattern) ? pattern : undefined;
  return {
    ...schema,
    type: named.length === 0 ? undefined : named.length === 1 ? named[0] : named,
    enum: isNullable ? [...values, null] : values,
    ...(named.includes('object') ? { properties: schema['properties'] ?? {} } : {}),
    ...(refused === undefined ? {} : { pattern: undefined, description: withNote(description, `matches ${refused}`) }),
  };
}

function asOpenApi(schema: SchemaMembers): SchemaMembers {
  const branches = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])].map(schemaOf);
  if (branches.length > 0) return oneOfMany(schema, branches);
  const all = typesOf(schema);
  const named = all.filter((type) => type !== 'null');
  const nullable = all.includes('null') || schema['nullable'] === true || listOf(schema['enum']).includes(null);
  if (named.length > 1) {
    const each = named.map((type) => asOpenApi({ ...schema, type, nullable: undefined, description: undefined }));
    return oneOfMany({ description: schema['description'], nullable }, each);
  }
  const values = Object.hasOwn(schema, 'const') ? [schema['const']] : listOf(schema['enum']);
  const isOfTexts = values.length > 0 && values.every((value) => typeof value === 'string' || value === null);
  const type = named[0] ?? (isOfTexts ? 'string' : (typeOfValue(values) ?? anything));
  return { ...ofType(type, schema, values), ...(nullable ? { nullable } : {}) };
}

/** A schema of one type in the words of OpenAPI. What has no word for it is said in the description. */
function ofType(type: TypeName, schema: SchemaMembers, values: readonly unknown[]): SchemaMembers {
  const { title, format, description, items, properties, minimum, maximum, minItems, maxItems } = schema;
  const known = objectOf(properties) ?? {};
  const isEmpty = type === 'object' && Object.keys(known).length === 0;
  const shown = isEmpty ? 'string' : type;
  const isKnownFormat = typeof format === 'string' && openApiFormats[shown]?.includes(format) === true;
  const allowed = values.filter((value) => typeof value === 'string' && value !== '');
  const notes = [
    ...(isEmpty ? ['a JSON object, written as text'] : []),
    ...(typeof format !== 'string' || isKnownFormat ? [] : [`format ${format}`]),
    ...(typeof schema['pattern'] === 'string' ? [`matches ${schema['pattern']}`] : []),
    ...(shown !== 'string' && values.length > 0
      ? [`one of ${values.map((value) => JSON.stringify(value)).join(', ')}`]
      : []),
    ...(schema['default'] === undefined ? [] : [`default ${JSON.stringify(schema['default'])}`]),
  ];
  const isNumber = shown === 'number' || shown === 'integer';
  const required = listOf(schema['required']).filter((name) => typeof name === 'string' && Object.hasOwn(known, name));
  return {
    type: shown,
    title,
    description: notes.length === 0 ? description : withNote(description, notes.join(', ')),
    ...(isKnownFormat ? { format } : {}),
    ...(shown === 'string' && allowed.length > 0 ? { enum: [...new Set(allowed)] } : {}),
    ...(isNumber ? { minimum, maximum } : {}),
    ...(shown === 'array' ? { items, minItems, maxItems } : {}),
    ...(shown === 'object' ? { properties: known, required: required.length === 0 ? undefined : required } : {}),
  };
}

/** Gemini takes nothing beside `anyOf`, so each branch says the rest. */
function oneOfMany({ description, nullable }: SchemaMembers, branches: readonly SchemaMembers[]): SchemaMembers {
  const flat = branches.flatMap((one) => (one['anyOf'] === undefined ? [one] : listOf(one['anyOf']).map(schemaOf)));
  const all = flat.map((one) =>
    clean({ ...one, description: one['description'] ?? description, ...(nullable === true ? { nullable } : {}) }),
  );
  const [first = {}, ...others] = [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
  return others.length === 0 ? first : { anyOf: [first, ...others] };
}

function clean(schema: SchemaMembers): SchemaMembers {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}

function typeOfValue([first]: readonly unknown[]): TypeName | undefined {
  if (typeof first === 'number') return Number.isInteger(first) ? 'integer' : 'number';
  return typeof first === 'boolean' ? 'boolean' : undefined;
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** Whether the languages of providers read a pattern as this one does. They refuse the request where they cannot read it. */
function isCommonPattern(pattern: string): boolean {
  return !/\(\?(?!:)|\\[pPcku]\{?|\\u\{|\[\^?\]|\[\[|\(\?</.test(pattern);
}

function withNote(description: unknown, note: string): string {
  return typeof description === 'string' && description !== '' ? `${description} (${note})` : note;
}
