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
/** Parts of `allOf` that are looked at. A part may refer to others again and again. */
const mostParts = 200;

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
  const members = await membersOf(documents, schema);
  // Members that must be there together, in a body that may be left out, are one argument that may be left out.
  const isOne = members === undefined || members.length === 0 || (!required && members.some((one) => one.required));
  const type = isJsonType(given) ? (given.split(';')[0] ?? '').trim() : 'application/json';
  return { type, required, members: isOne ? undefined : members, schema, declared: body.value };
}

/** What an object and the parts of its `allOf` say together. */
interface Collected {
  readonly members: Map<string, Part>;
  readonly required: Set<string>;
  /** Members that an API only answers with. */
  readonly hidden: Set<string>;
  /** How many more parts are looked at. */
  partsLeft: number;
}

/** The members of an object, those of `allOf` included. Undefined where more must be said of it than its members. */
async function membersOf(documents: DocumentSet, part: Part): Promise<readonly BodyMember[] | undefined> {
  const collected: Collected = { members: new Map(), required: new Set(), hidden: new Set(), partsLeft: mostParts };
  if (!(await collect(documents, { part, level: 0 }, collected))) return undefined;
  const { members, required, hidden } = collected;
  // A member that must be there and that nothing describes can only be given with the whole.
  if ([...required].some((name) => !members.has(name) && !hidden.has(name))) return undefined;
  return [...members].map(([name, schema]) => ({ name, schema, required: required.has(name) }));
}

/** Whether the members of a part say everything of it. */
async function collect(
  documents: DocumentSet,
  { part, level }: { readonly part: Part; readonly level: number },
  collected: Collected,
): Promise<boolean> {
  collected.partsLeft -= 1;
  if (collected.partsLeft < 0) return false;
  const found = await documents.resolve(part);
  const schema = found.value;
  if (level > mostLevels || !hasMembers(schema) || !isOnlyMembers(schema)) return false;
  const { properties = {}, allOf = [] } = schema;
  if (!hasMembers(properties) || !Array.isArray(allOf)) return false;
  const parts: readonly unknown[] = allOf;
  for (const value of parts) {
    if (!(await collect(documents, { part: { ...found, value }, level: level + 1 }, collected))) return false;
  }
  for (const name of namesIn(schema['required'])) collected.required.add(name);
  for (const [name, value] of Object.entries(properties)) {
    if (name === '__proto__') continue;
    if (await isOnlyRead(documents, { ...found, value })) collected.hidden.add(name);
    else collected.members.set(name, { ...found, value });
  }
  return true;
}

function isOnlyMembers(schema: Members): boolean {
  const { type, nullable, additionalProperties } = schema;
  if (togetherKeywords.some((keyword) => schema[keyword] !== undefined)) return false;
  return (type === undefined || type === 'object') && nullable !== true && !hasMembers(additionalProperties);
}
