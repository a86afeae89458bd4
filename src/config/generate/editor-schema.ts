import { definitionSchemas } from '../agents/definition-kind.ts';
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

/** An expression of a definition. An editor cannot know its value. */
const expression = { type: 'string', pattern: '^=\\s*Env\\.[A-Za-z_][A-Za-z0-9_]*\\s*$' } as const;

/** A top-level key of the operator's own, for `declarative.configurationSection`. An editor cannot know its name. */
const ownSection = { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } } as const;

/** The usual spellings of the kinds of definitions. */
const spelledKinds = {
  Prompt: ['Prompt', 'prompt', 'Agent', 'agent'],
  Team: ['Team', 'team'],
  RemoteAgent: ['RemoteAgent', 'remoteAgent'],
};

/** `config/helper.schema.json`: what an editor completes and checks `helper.yaml` with (contract/configuration.md). */
export function editorSchema(): Readonly<Record<string, unknown>> {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'helper.yaml',
    ...convert({ ...helperSchema, description: 'Configuration of the Helper server.' }, reference),
    type: 'object',
    additionalProperties: ownSection,
  };
}

/** `config/agent.schema.json`: what an editor completes and checks definitions of agents with (contract/agents.md#definitions). */
export function agentEditorSchema(): Readonly<Record<string, unknown>> {
  const kinds = (['Prompt', 'Team', 'RemoteAgent'] as const).map((title): Converted => {
    const whole = convert(definitionSchemas[title], expression);
    const { properties } = whole;
    const kind = { enum: spelledKinds[title], description: definitionSchemas[title].properties?.['kind']?.description };
    return { title, ...whole, type: 'object', properties: { ...objectOf(properties), kind } };
  });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: '*.agent.yaml',
    description: 'A specialist, a team or a remote agent of the Helper server.',
    oneOf: kinds,
  };
}

type Converted = Record<string, unknown>;

function objectOf(value: unknown): Converted {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** The form of a value that an editor cannot know. */
type Unknown = typeof reference | typeof expression;

function convert(schema: SettingSchema, unknown: Unknown): Converted {
  const { description, default: fallback, examples, ...value } = schema;
  const about = pick({ description, default: fallback, examples });
  const either = (...forms: readonly Converted[]): Converted => ({ ...about, anyOf: [...forms, unknown] });
  if (schema.format === 'duration' || schema.format === 'age')
    return either({ type: 'string', pattern: durationPattern }, { const: 0 }, ...nullOf(schema));
  if (schema.format === 'time-limit') return either({ type: 'string', pattern: `^-|${durationPattern}` }, { const: 0 });
  if (schema.format === 'age-or-none') return either({ type: 'string', pattern: durationPattern }, { const: 'none' });
  if (schema.format === 'size')
    return either({ type: 'string', pattern: sizePattern }, { type: 'integer', minimum: 0 });
  const types = typesOf(schema);
  if (types.length === 0) return { ...about };
  // A reference is a valid text, unless the text must have a certain form, value or length.
  const fitsReference = schema.pattern === undefined && schema.enum === undefined && (schema.minLength ?? 0) <= 1;
  const isText = types.includes('string') && fitsReference;
  if (types.includes('object')) return { ...about, ...convertMap(value, unknown) };
  if (types.includes('array'))
    return either({ type: schema.type, ...keep(value), items: convert(schema.items ?? {}, unknown) });
  return isText ? { ...about, ...convertScalar(value) } : either(convertScalar(value));
}

/** Whether `null` leaves a key out: it has no default, and need not be there. */
function mayBeNull(key: string, { required, properties }: SettingSchema): boolean {
  const child = properties?.[key] ?? {};
  const isScalar = typesOf(child).length > 0 && !typesOf(child).some((type) => type === 'object' || type === 'null');
  return isScalar && child.default === undefined && required?.includes(key) !== true;
}

function orNull(form: Converted): Converted {
  const { anyOf, enum: values, type } = form;
  // `Array.isArray` makes lists of `any` out of values whose type is not known.
  const listOf = (value: unknown): readonly unknown[] | undefined => (Array.isArray(value) ? value : undefined);
  const [forms, choices] = [listOf(anyOf), listOf(values)];
  if (forms !== undefined) return { ...form, anyOf: [...forms, { type: 'null' }] };
  if (choices !== undefined) return { ...form, enum: [...choices, null] };
  return { ...form, type: [type, 'null'].flat() };
}

function nullOf(schema: SettingSchema): readonly Converted[] {
  return typesOf(schema).includes('null') ? [{ type: 'null' }] : [];
}

function convertScalar(schema: SettingSchema): Converted {
  if (schema.enum !== undefined) return { enum: schema.enum };
  return { type: schema.type, ...keep(schema) };
}

function convertMap(schema: SettingSchema, unknown: Unknown): Converted {
  const properties = Object.entries(schema.properties ?? {}).map(
    ([key, child]) =>
      [key, mayBeNull(key, schema) ? orNull(convert(child, unknown)) : convert(child, unknown)] as const,
  );
  const others = schema.additionalProperties;
  return {
    // A section whose lines are all commented out is null, and counts as left out.
    type: [...new Set([...typesOf(schema), 'null'])],
    ...keep(schema),
    ...(schema.properties !== undefined && { properties: Object.fromEntries(properties) }),
    ...(schema.propertyNames?.pattern !== undefined && { propertyNames: { pattern: schema.propertyNames.pattern } }),
    ...(schema.items !== undefined && { items: convert(schema.items, unknown) }),
    ...(others !== undefined && { additionalProperties: others === false ? false : convert(others, unknown) }),
  };
}

function keep(schema: SettingSchema): Converted {
  return pick(Object.fromEntries(shared.map((keyword) => [keyword, schema[keyword]])));
}

function pick(values: Readonly<Record<string, unknown>>): Converted {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
