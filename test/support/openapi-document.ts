import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

type Json = Readonly<Record<string, unknown>>;

export interface DescribedOperation {
  readonly operationId: string;
  readonly security?: readonly Json[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly example?: unknown }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Json }>> }>
  >;
}

export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly components: {
    readonly schemas: Readonly<Record<string, Json>>;
    readonly securitySchemes: Readonly<Record<string, Json>>;
  };
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly 'x-ai-disclosure': boolean;
}

/** An operation with its method and path. */
export interface PlacedOperation extends DescribedOperation {
  readonly method: string;
  readonly path: string;
}

/** The document of a server. */
export async function openApiOf(url: string): Promise<OpenApiDocument> {
  return (await (await fetch(`${url}/helper/openapi.json`)).json()) as OpenApiDocument; // `npm run check` lints the shape of this document
}

/** Every operation with its method and path, such as `GET /helper/tour`. */
export function operationsOf(document: OpenApiDocument): readonly PlacedOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
}

/** The parts of an answer that its operation does not describe: its status, its type, or a member that is missing, wrong or not named. */
export async function undescribed(
  document: OpenApiDocument,
  operation: PlacedOperation,
  answer: Response,
): Promise<readonly string[]> {
  const described = operation.responses[String(answer.status)];
  if (described === undefined) return [`status ${String(answer.status)}`];
  if (described.content === undefined) return (await answer.text()) === '' ? [] : ['a body'];
  const type = (answer.headers.get('content-type') ?? '').split(';')[0] ?? '';
  const schema = described.content[type]?.schema;
  if (schema === undefined) return [`type ${type}`];
  if (!type.endsWith('json')) return [];
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  formats.default(ajv);
  const known = { ...closed(schema), components: { schemas: document.components.schemas } };
  const check = ajv.compile(known);
  return check(await answer.json())
    ? []
    : (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${String(message)}`);
}

/** The schema, changed so that an object with named members allows no other members. */
function closed(schema: unknown): Json {
  const closeAll = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(closeAll);
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, closeAll(inner)]));
    const names = 'properties' in members && members['type'] === 'object';
    return names ? { unevaluatedProperties: false, ...members } : members;
  };
  return closeAll(schema) as Json; // `closeAll` returns an object for an object
}
