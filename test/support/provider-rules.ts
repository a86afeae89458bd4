/**
 * What providers are known to refuse in the schema of a tool, from what they document and from what they answer. Each function gives the
 * faults of a schema as a provider would find them.
 */

type Members = Readonly<Record<string, unknown>>;

const types = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

function membersOf(value: unknown): Members | undefined {
  // The checks make it an object without a prototype of its own that matters.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The schemas in a schema, and where they stand. */
function inner(schema: Members): readonly (readonly [string, unknown])[] {
  return [
    ...['properties', 'patternProperties'].flatMap((keyword) =>
      Object.entries(membersOf(schema[keyword]) ?? {}).map(([name, one]) => [`${keyword}.${name}`, one] as const),
    ),
    ...['items', 'not'].flatMap((keyword) => (keyword in schema ? [[keyword, schema[keyword]] as const] : [])),
    ...(membersOf(schema['additionalProperties']) ? [['others', schema['additionalProperties']] as const] : []),
    ...['anyOf', 'oneOf', 'allOf', 'prefixItems'].flatMap((keyword) =>
      listOf(schema[keyword]).map((one, index) => [`${keyword}.${String(index)}`, one] as const),
    ),
  ];
}

function walk(
  schema: unknown,
  at: string,
  look: (schema: Members, at: string) => readonly string[],
): readonly string[] {
  const members = membersOf(schema);
  if (members === undefined) return [`${at}: no schema`];
  return [...look(members, at), ...inner(members).flatMap(([step, one]) => walk(one, `${at}.${step}`, look))];
}

function topFaults(schema: Members): readonly string[] {
  return [
    ...(schema['type'] === 'object' ? [] : ['type is not object']),
    ...(membersOf(schema['properties']) ? [] : ['object schema without properties']),
    ...['anyOf', 'oneOf', 'allOf', 'not', 'enum', '$ref']
      .filter((keyword) => keyword in schema)
      .map((keyword) => `${keyword} at the top`),
  ];
}

/** OpenAI: lists need `items`, the top is a plain object, and everything is JSON Schema 2020-12 whose patterns Python reads. */
export function openAiFaults(schema: Members): readonly string[] {
  return [
    ...topFaults(schema),
    ...walk(schema, 'schema', (one, at) => {
      const named = Array.isArray(one['type']) ? listOf(one['type']) : 'type' in one ? [one['type']] : [];
      return [
        ...(named.every((type) => typeof type === 'string' && types.has(type)) ? [] : [`${at}: unknown type`]),
        ...(named.includes('array') && !('items' in one) ? [`${at}: list without items`] : []),
        ...(Array.isArray(one['items']) ? [`${at}: items is a list`] : []),
        ...(typeof one['exclusiveMinimum'] === 'boolean' ? [`${at}: exclusiveMinimum of draft 4`] : []),
        ...(typeof one['exclusiveMaximum'] === 'boolean' ? [`${at}: exclusiveMaximum of draft 4`] : []),
        ...('required' in one &&
        !(Array.isArray(one['required']) && one['required'].every((name) => typeof name === 'string'))
          ? [`${at}: required`]
          : []),
        ...('$ref' in one ? [`${at}: a reference`] : []),
        ...(typeof one['pattern'] === 'string' && /\\p\{|\(\?<[^=!]/.test(one['pattern'])
          ? [`${at}: not a regex`]
          : []),
        ...('enum' in one && listOf(one['enum']).length === 0 ? [`${at}: enum`] : []),
      ];
    }),
  ];
}

/** Anthropic: names of properties, and no combiners at the top. */
export function anthropicFaults(schema: Members): readonly string[] {
  return [
    ...topFaults(schema),
    ...walk(schema, 'schema', (one, at) =>
      Object.keys(membersOf(one['properties']) ?? {})
        .filter((name) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(name))
        .map((name) => `${at}: the name ${name}`),
    ),
  ];
}

const geminiKeywords = new Set([
  ...['type', 'format', 'title', 'description', 'nullable', 'enum', 'minItems', 'maxItems', 'properties', 'required'],
  ...['items', 'minimum', 'maximum', 'anyOf'],
]);
const geminiFormats: Readonly<Record<string, readonly string[]>> = {
  string: ['enum', 'date-time'],
  number: ['float', 'double'],
  integer: ['int32', 'int64'],
};

/** Gemini: the fields of its Schema object and no others, one type each, and nothing beside `anyOf`. */
export function geminiFaults(schema: Members): readonly string[] {
  // A tool without arguments has no schema.
  if (Object.keys(schema).length === 0) return [];
  return [
    ...topFaults(schema),
    ...walk(schema, 'schema', (one, at) => {
      const properties = membersOf(one['properties']) ?? {};
      const { type, format } = one;
      return [
        ...Object.keys(one)
          .filter((keyword) => !geminiKeywords.has(keyword))
          .map((keyword) => `${at}: unknown name ${keyword}`),
        ...('anyOf' in one
          ? Object.keys(one).length > 1
            ? [`${at}: anyOf is not alone`]
            : []
          : typeof type === 'string' && types.has(type) && type !== 'null'
            ? []
            : [`${at}: no type`]),
        ...(type === 'array' && membersOf(one['items']) === undefined ? [`${at}: items: missing field`] : []),
        ...(type === 'object' && Object.keys(properties).length === 0 ? [`${at}: no properties`] : []),
        ...(typeof format === 'string' && geminiFormats[String(type)]?.includes(format) !== true
          ? [`${at}: format`]
          : []),
        ...('enum' in one &&
        (type !== 'string' || listOf(one['enum']).some((value) => typeof value !== 'string' || value === ''))
          ? [`${at}: enum`]
          : []),
        ...listOf(one['required'])
          .filter((name) => typeof name !== 'string' || !Object.hasOwn(properties, name))
          .map((name) => `${at}: required ${String(name)} is not defined`),
        ...Object.keys(properties)
          .filter((name) => !/^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(name))
          .map((name) => `${at}: the name ${name}`),
      ];
    }),
  ];
}
