import { hasMembers, type Members } from '../../shared/members.ts';
import { DocumentFault } from './document-fault.ts';
import type { DocumentSet, Part } from './document-set.ts';
import type { DeclaredOperation } from './operation-parts.ts';

/** Members of a parameter of Swagger 2.0 that are its schema. */
const schemaKeywords = [
  ...['type', 'format', 'items', 'default', 'enum', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'],
  ...['maxLength', 'minLength', 'pattern', 'maxItems', 'minItems', 'uniqueItems', 'multipleOf'],
] as const;

/** How Swagger 2.0 writes lists, in the words of OpenAPI 3. Lists with tabs have no counterpart. */
const stylesOf: Readonly<Record<string, Members>> = {
  csv: { explode: false },
  multi: { style: 'form', explode: true },
  ssv: { style: 'spaceDelimited', explode: false },
  pipes: { style: 'pipeDelimited', explode: false },
};

/**
 * An operation of Swagger 2.0 in the words of OpenAPI 3.0 (contract/openapi.md#documents). References in schemas stay as they are: they lead
 * into the document itself, whatever its version.
 * @throws DocumentFault where a parameter has no counterpart.
 */
export async function fromSwagger(
  documents: DocumentSet,
  content: Members,
  operation: DeclaredOperation,
): Promise<DeclaredOperation> {
  const given = await parametersOf(documents, operation);
  const { value } = operation.part;
  const declared = hasMembers(value) ? value : {};
  const consumes = typesIn(declared['consumes']) ?? typesIn(content['consumes']) ?? [];
  const plain = given.filter((parameter) => parameter['in'] !== 'body' && parameter['in'] !== 'formData');
  const body = given.find((parameter) => parameter['in'] === 'body');
  const fields = given.filter((parameter) => parameter['in'] === 'formData');
  const requestBody =
    body !== undefined ? bodyOf(body, consumes) : fields.length > 0 ? formOf(fields, consumes) : undefined;
  return {
    ...operation,
    item: { ...operation.item, value: {} },
    part: {
      ...operation.part,
      value: {
        ...declared,
        parameters: plain.map(parameterOf),
        ...(requestBody === undefined ? {} : { requestBody }),
      },
    },
  };
}

/** The addresses of a document of Swagger 2.0. One without a host or a scheme is relative to the address of the document. */
export function serversOfSwagger({ host, basePath, schemes }: Members): readonly string[] {
  const path = typeof basePath === 'string' ? basePath : '/';
  if (typeof host !== 'string' || host === '') return typeof basePath === 'string' ? [path] : [];
  const listed: readonly unknown[] = Array.isArray(schemes) ? schemes : [];
  const scheme = ['https', 'http'].find((known) => listed.includes(known));
  return [`${scheme === undefined ? '' : `${scheme}:`}//${host}${path === '/' ? '' : path}`];
}

/** The parameters of the path and of the operation, references followed. An operation's own one replaces that of its path. */
async function parametersOf(documents: DocumentSet, { item, part }: DeclaredOperation): Promise<readonly Members[]> {
  const found = new Map<string, Members>();
  for (const place of [item, part]) {
    const list = hasMembers(place.value) ? place.value['parameters'] : undefined;
    if (list === undefined) continue;
    if (!Array.isArray(list)) throw new DocumentFault('has parameters that are no list');
    const each: readonly unknown[] = list;
    for (const value of each) {
      const { value: parameter, document } = await documents.resolve({ ...place, value });
      if (!hasMembers(parameter)) throw new DocumentFault('has a parameter without a name or a place');
      const isHere = document.href === part.document.href;
      const absolute = isHere ? parameter : absoluteIn(parameter, document);
      if (!hasMembers(absolute)) continue;
      found.set(JSON.stringify([absolute['in'], absolute['name']]), absolute);
    }
  }
  return [...found.values()];
}

/** References of a parameter that stands in another document than its operation. */
function absoluteIn(value: unknown, document: Part['document']): unknown {
  if (Array.isArray(value)) return value.map((item) => absoluteIn(item, document));
  if (!hasMembers(value)) return value;
  const entries = Object.entries(value).map(([name, member]) => {
    const isReference = name === '$ref' && typeof member === 'string' && URL.canParse(member, document.href);
    return [name, isReference ? new URL(member, document.href).href : absoluteIn(member, document)] as const;
  });
  return Object.fromEntries(entries);
}

function parameterOf(parameter: Members): Members {
  const { name, in: location, required, description, collectionFormat } = parameter;
  const common = { name, in: location, required: required === true, ...(isText(description) ? { description } : {}) };
  if (parameter['type'] !== 'array') return { ...common, schema: schemaOf(parameter) };
  const format = typeof collectionFormat === 'string' ? collectionFormat : 'csv';
  const style = Object.hasOwn(stylesOf, format) ? stylesOf[format] : undefined;
  if (style === undefined)
    throw new DocumentFault(`has the parameter ${String(name).slice(0, 100)} in a style that cannot be written`);
  return { ...common, ...style, schema: schemaOf(parameter) };
}

function schemaOf(parameter: Members): Members {
  if (parameter['type'] === 'file') return { type: 'string', format: 'binary', ...described(parameter) };
  const kept = schemaKeywords.flatMap((key) => (parameter[key] === undefined ? [] : [[key, parameter[key]] as const]));
  const nullable = parameter['x-nullable'] === true ? { nullable: true } : {};
  return { ...Object.fromEntries(kept), ...nullable, ...described(parameter) };
}

function described({ description }: Members): Members {
  return isText(description) ? { description } : {};
}

function bodyOf(body: Members, consumes: readonly string[]): Members {
  const types = consumes.length === 0 ? ['application/json'] : consumes;
  const media = { schema: body['schema'] };
  return { required: body['required'] === true, content: Object.fromEntries(types.map((type) => [type, media])) };
}

function formOf(fields: readonly Members[], consumes: readonly string[]): Members {
  const hasFile = fields.some(({ type }) => type === 'file');
  const isMultipart = hasFile || consumes.includes('multipart/form-data');
  const type = isMultipart ? 'multipart/form-data' : 'application/x-www-form-urlencoded';
  const named = fields.filter(({ name }) => typeof name === 'string' && name !== '');
  const required = named.filter((field) => field['required'] === true).map(({ name }) => name);
  const lists = named.filter((field) => field['type'] === 'array' && field['collectionFormat'] !== 'multi');
  const schema = {
    type: 'object',
    properties: Object.fromEntries(named.map((field) => [String(field['name']), schemaOf(field)])),
    ...(required.length === 0 ? {} : { required }),
  };
  const encoding = Object.fromEntries(lists.map((field) => [String(field['name']), { style: 'form', explode: false }]));
  return { required: required.length > 0, content: { [type]: { schema, encoding } } };
}

function typesIn(list: unknown): readonly string[] | undefined {
  if (!Array.isArray(list)) return undefined;
  return list.filter((type): type is string => typeof type === 'string').slice(0, 50);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
