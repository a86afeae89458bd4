import { hasMembers, type Members } from '../../shared/members.ts';
import { DocumentFault } from './document-fault.ts';
import type { DocumentSet, Part } from './document-set.ts';
import type { DeclaredOperation } from './operation-parts.ts';
import { isJsonType } from './read-parameters.ts';
import { isOnlyRead, namesIn } from './schema-reader.ts';

/** A member of a body that is an argument of its own. */
export interface BodyMember {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Part;
}

/** The body of an operation. */
export interface ReadBody {
  readonly type: string;
  readonly required: boolean;
  /** Undefined where the body is one argument. */
  readonly members: readonly BodyMember[] | undefined;
  readonly schema: Part;
  /** The body as the document declares it, references followed. */
  readonly declared: Members;
}

/** Keywords that say something of the members together. With them the body is one argument. */
const togetherKeywords = ['anyOf', 'oneOf', 'not', 'if', 'patternProperties', 'minProperties', 'dependentRequired'];
const mostLevels = 8;

/**
 * The JSON body of an operation. Undefined where it has none.
 * @throws DocumentFault where the body is not JSON.
 */
export async function readBody(
  documents: DocumentSet,
  { part, method }: DeclaredOperation,
): Promise<ReadBody | undefined> {
  const declared = hasMembers(part.value) ? part.value['requestBody'] : undefined;
  if (declared === undefined || method === 'get' || method === 'head') return undefined;
  const body = await documents.resolve({ ...part, value: declared });
  if (!hasMembers(body.value)) throw new DocumentFault('has a body that is none');
  const { content } = body.value;
  const types = hasMembers(content) ? Object.keys(content) : [];
  const given = types.find(isJsonType) ?? types.find((type) => type === '*/*' || type === 'application/*');
  if (given === undefined || !hasMembers(content)) {
    const found = types.length === 0 ? 'no type' : types.join(', ').slice(0, 100);
    throw new DocumentFault(`takes a body of ${found}, and only JSON is sent`);
  }
  const media = content[given];
  const schema = { ...body, value: hasMembers(media) ? media['schema'] : undefined };
  const required = body.value['required'] === true;
  const members = await membersOf(documents, schema, 0);
  // Members that must be there together, in a body that may be left out, are one argument that may be left out.
  const isOne = members === undefined || members.length === 0 || (!required && members.some((one) => one.required));
  const type = isJsonType(given) ? (given.split(';')[0] ?? '').trim() : 'application/json';
  return { type, required, members: isOne ? undefined : members, schema, declared: body.value };
}

/** The members of an object, those of `allOf` included. Undefined where more must be said of it than its members. */
async function membersOf(
  documents: DocumentSet,
  part: Part,
  level: number,
): Promise<readonly BodyMember[] | undefined> {
  if (level > mostLevels) return undefined;
  const found = await documents.resolve(part);
  const schema = found.value;
  if (!hasMembers(schema) || togetherKeywords.some((keyword) => schema[keyword] !== undefined)) return undefined;
  if (schema['type'] !== undefined && schema['type'] !== 'object') return undefined;
  if (schema['nullable'] === true || hasMembers(schema['additionalProperties'])) return undefined;
  const { properties = {}, allOf = [] } = schema;
  if (!hasMembers(properties) || !Array.isArray(allOf)) return undefined;
  const members = new Map<string, BodyMember>();
  const required = new Set(namesIn(schema['required']));
  const parts: readonly unknown[] = allOf;
  for (const value of parts) {
    const inner = await membersOf(documents, { ...found, value }, level + 1);
    if (inner === undefined) return undefined;
    for (const member of inner) members.set(member.name, member);
  }
  for (const [name, value] of Object.entries(properties)) {
    const one = { ...found, value };
    if (name === '__proto__') continue;
    if (await isOnlyRead(documents, one)) required.delete(name);
    else members.set(name, { name, required: false, schema: one });
  }
  // A name that must be there and that nothing describes: the body cannot be taken apart.
  if ([...required].some((name) => !members.has(name))) return level === 0 ? undefined : [...members.values()];
  return [...members.values()].map((member) => ({ ...member, required: member.required || required.has(member.name) }));
}
