import { helperSchema } from '../schema/helper.schema.ts';
import { type SettingSchema, typesOf } from '../schema/setting-schema.ts';

/** The form of a `${…}` reference. An editor cannot know its value. */
const reference = { type: 'string', pattern: '\\$\\{[^{}]+\\}' } as const;

const durationPattern = '^(0+|\\d+(\\.\\d+)? ?(ms|s|m|h|d)|(\\d+\\.)?\\d{1,2}:\\d{2}:\\d{2}(\\.\\d{1,7})?)$';
const sizePattern = '^\\d+(\\.\\d+)? ?([KMG]iB)?$';

/** The keywords that have the same meaning in the editor's schema. */
const shared = [
  'description',
  'default',
  'examples',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
  'required',
] as const satisfies readonly (keyof SettingSchema)[];

/** `config/helper.schema.json`: what an editor completes and checks `helper.yaml` with (contract/configuration.md). */
export function editorSchema(): Readonly<Record<string, unknown>> {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'helper.yaml',
    ...convert({ ...helperSchema, description: 'Configuration of the Helper server.' }),
    type: 'object',
  };
}

type Converted = Record<string, unknown>;

function convert(schema: SettingSchema): Converted {
  const { description, default: fallback, examples, ...value } = schema;
  const about = pick({ description, default: fallback, examples });
  if (schema.format === 'duration' || schema.format === 'age')
    return { ...about, ...either({ type: 'string', pattern: durationPattern }, { const: 0 }, ...nullOf(schema)) };
  if (schema.format === 'time-limit')
    return { ...about, ...either({ type: 'string', pattern: `^-|${durationPattern}` }, { const: 0 }) };
  if (schema.format === 'age-or-none')
    return { ...about, ...either({ type: 'string', pattern: durationPattern }, { const: 'none' }) };
  if (schema.format === 'size')
    return { ...about, ...either({ type: 'string', pattern: sizePattern }, { type: 'integer', minimum: 0 }) };
  const types = typesOf(schema);
  if (types.length === 0) return { ...about };
  // A reference is a valid text, unless the text must have a certain form, value or length.
  const fitsReference = schema.pattern === undefined && schema.enum === undefined && (schema.minLength ?? 0) <= 1;
  const isText = types.includes('string') && fitsReference;
  if (types.includes('object')) return { ...about, ...convertMap(value) };
  if (types.includes('array')) return { ...about, ...convertList(value) };
  if (isText) return { ...about, ...convertScalar(value) };
  return { ...about, ...either(convertScalar(value)) };
}

function nullOf(schema: SettingSchema): readonly Converted[] {
  return typesOf(schema).includes('null') ? [{ type: 'null' }] : [];
}

/** Allows a value of one of these forms, or a reference. */
function either(...forms: readonly Converted[]): Converted {
  return { anyOf: [...forms, reference] };
}

function convertScalar(schema: SettingSchema): Converted {
  if (schema.enum !== undefined) return { enum: schema.enum };
  return { type: schema.type, ...keep(schema) };
}

function convertList(schema: SettingSchema): Converted {
  return either({ type: schema.type, ...keep(schema), items: convert(schema.items ?? {}) });
}

function convertMap(schema: SettingSchema): Converted {
  const properties = Object.entries(schema.properties ?? {}).map(([key, child]) => [key, convert(child)] as const);
  const others = schema.additionalProperties;
  return {
    // A section whose lines are all commented out is null, and counts as left out.
    type: [...new Set([...typesOf(schema), 'null'])],
    ...keep(schema),
    ...(schema.properties !== undefined && { properties: Object.fromEntries(properties) }),
    ...(schema.propertyNames?.pattern !== undefined && { propertyNames: { pattern: schema.propertyNames.pattern } }),
    ...(others !== undefined && { additionalProperties: others === false ? false : convert(others) }),
  };
}

function keep(schema: SettingSchema): Converted {
  return pick(Object.fromEntries(shared.map((keyword) => [keyword, schema[keyword]])));
}

function pick(values: Readonly<Record<string, unknown>>): Converted {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
