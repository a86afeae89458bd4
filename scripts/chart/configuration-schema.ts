import { editorSchema } from '../../src/config/generate/editor-schema.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Settings that the chart itself reads. The chart cannot resolve a reference to the environment. */
const readByTheChart = [
  'server.host',
  'server.port',
  'server.basePath',
  'server.hubPath',
  'server.ssePath',
  'server.shutdownGrace',
  'storage.type',
  'storage.path',
  'scaleOut.type',
  'endpoints.metrics.path',
  'endpoints.metrics.port',
  'demoPage',
];

/** Schemas that allow less in the chart than for a server on its own. */
const narrowed: Readonly<Record<string, JsonSchema>> = {
  'server.port': { minimum: 1 },
  'endpoints.metrics.port': { minimum: 1 },
  'storage.path': { pattern: '^/', default: '/data' },
  'server.host': { default: '0.0.0.0' },
};

/**
 * The schema of `config`. It is the schema of `helper.yaml` without patterns that look ahead, which Helm's validators do not understand.
 */
export function configurationSchema(): JsonSchema {
  const { $schema: _draft, title: _title, description: _about, ...schema } = editorSchema();
  return rewritten(schema, '');
}

function rewritten(schema: JsonSchema, path: string): JsonSchema {
  const kept = Object.entries(schema)
    .filter(([keyword, value]) => !(keyword === 'pattern' && String(value).includes('(?!')))
    .map(([keyword, value]) => [keyword, rewrittenValue(keyword, value, path)]);
  const plain = Object.fromEntries(kept) as JsonSchema;
  return readByTheChart.includes(path) ? withoutReference(plain, path) : plain;
}

function rewrittenValue(keyword: string, value: unknown, path: string): unknown {
  if (keyword === 'properties') {
    const below = Object.entries(value as Readonly<Record<string, JsonSchema>>); // it is part of our own schema
    return Object.fromEntries(
      below.map(([key, child]) => [key, rewritten(child, path === '' ? key : `${path}.${key}`)]),
    );
  }
  if (keyword === 'anyOf') return (value as readonly JsonSchema[]).map((form) => rewritten(form, '*'));
  if ((keyword === 'items' || keyword === 'additionalProperties') && typeof value === 'object' && value !== null)
    return rewritten(value as JsonSchema, '*');
  return value;
}

/** The schema without the alternative `${…}`. */
function withoutReference(schema: JsonSchema, path: string): JsonSchema {
  const { anyOf, ...about } = schema;
  const forms = (anyOf ?? []) as readonly JsonSchema[];
  const own = forms.filter(({ pattern }) => pattern !== '\\$\\{[^{}]+\\}');
  const form = own.length === 1 ? own[0] : own.length > 1 ? { anyOf: own } : {};
  return { ...about, ...form, ...narrowed[path] };
}
