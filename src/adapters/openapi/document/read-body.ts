import { hasMembers, type Members } from '../../shared/members.ts';
import { type BodyKind, isFile, isJsonType, sendableType } from './body-kind.ts';
import { DocumentFault } from './document-fault.ts';
import type { DocumentSet, Part } from './document-set.ts';
import type { ParameterStyle } from './imported-operation.ts';
import type { DeclaredOperation } from './operation-parts.ts';
import { isOnlyRead, namesIn } from './schema-reader.ts';

/** A member of a body that is an argument of its own. */
export interface BodyMember {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Part;
  /** How it is written in a form. Left out, as forms commonly are. */
  readonly style?: { readonly style: ParameterStyle; readonly explode: boolean };
}

/** The body of an operation. */
export interface ReadBody {
  readonly kind: BodyKind;
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
 * The body of an operation. Undefined where it has none.
 * @throws DocumentFault where the body is of a type that is not sent, or needs a file.
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
  const sendable = sendableType(types);
  if (sendable === undefined || !hasMembers(content)) {
    const found = types.length === 0 ? 'no type' : types.join(', ').slice(0, 100);
    throw new DocumentFault(`takes a body of ${found}, and only JSON, forms and plain text are sent`);
  }
  const { kind, type, listed } = sendable;
  const media = hasMembers(content[listed]) ? content[listed] : {};
  const required = body.value['required'] === true;
  const common = { kind, type, required, declared: body.value };
  if (kind === 'text') return { ...common, members: undefined, schema: { ...body, value: { type: 'string' } } };
  const schema = { ...body, value: media['schema'] };
  const found = await membersOf(documents, schema);
  const members = kind === 'json' || found === undefined ? found : await fieldsOf(documents, found, media);
  // Members that must be there together, in a body that may be left out, are one argument that may be left out.
  const isTogether = !required && members?.some((one) => one.required) === true;
  const isOne = members === undefined || (kind === 'json' ? members.length === 0 || isTogether : isTogether);
  return { ...common, members: isOne ? undefined : members, schema };
}

/** The members of a form that can be sent, with how each is written. */
async function fieldsOf(
  documents: DocumentSet,
  members: readonly BodyMember[],
  { encoding }: Members,
): Promise<readonly BodyMember[]> {
  const fields: BodyMember[] = [];
  for (const member of members) {
    const said = hasMembers(encoding) && Object.hasOwn(encoding, member.name) ? encoding[member.name] : undefined;
    const { contentType, style, explode } = hasMembers(said) ? said : {};
    if (await isFile(documents, member.schema, contentType)) {
      if (!member.required) continue;
      throw new DocumentFault(`takes the file ${member.name.slice(0, 100)}, and files are not sent`);
    }
    fields.push({ ...member, ...writingOf({ contentType, style, explode }) });
  }
  return fields;
}

const formStyles: readonly ParameterStyle[] = ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'];

function writingOf({ contentType, style, explode }: Members): Pick<BodyMember, 'style'> {
  const known = formStyles.find((one) => one === style);
  if (known !== undefined || typeof explode === 'boolean') {
    const isExploded = typeof explode === 'boolean' ? explode : known === undefined || known === 'form';
    return { style: { style: known ?? 'form', explode: isExploded } };
  }
  const isJson = typeof contentType === 'string' && isJsonType(contentType);
  return isJson ? { style: { style: 'json', explode: false } } : {};
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
