import { hasMembers, type Members } from '../../shared/members.ts';
import type { DocumentSet, Part } from './document-set.ts';

/** How a body is written. */
export type BodyKind = 'json' | 'form' | 'multipart' | 'text';

/** A type of content that can be sent. `listed`: as the document lists it. `type`: as it is sent. */
export interface SendableType {
  readonly listed: string;
  readonly type: string;
  readonly kind: BodyKind;
}

const json = 'application/json';
/** Ranges of types that JSON is in. */
const rangesOfJson: ReadonlySet<string> = new Set(['*/*', 'application/*', 'application/*+json', '*/*+json']);

/** Whether a type of content is JSON. */
export function isJsonType(type: string): boolean {
  const essence = essenceOf(type);
  if (essence === json || essence === 'text/json') return true;
  return /^[a-z0-9.+-]{1,100}\/[a-z0-9.-]{1,100}\+json$/.test(essence);
}

/** Of the types of a body, the one that is sent. JSON comes first. Undefined where none can be sent. */
export function sendableType(types: readonly string[]): SendableType | undefined {
  const plain = types.includes(json) ? json : types.find(isJsonType);
  if (plain !== undefined) return { listed: plain, type: (plain.split(';')[0] ?? '').trim(), kind: 'json' };
  const range = types.find((type) => rangesOfJson.has(essenceOf(type)));
  if (range !== undefined) return { listed: range, type: json, kind: 'json' };
  for (const [type, kind] of [
    ['application/x-www-form-urlencoded', 'form'],
    ['multipart/form-data', 'multipart'],
    ['text/plain', 'text'],
  ] as const) {
    const listed = types.find((one) => essenceOf(one) === type);
    if (listed !== undefined) return { listed, type, kind };
  }
  return undefined;
}

/** Whether a member of a form is a file. `contentType`: what `encoding` says of it. */
export async function isFile(documents: DocumentSet, part: Part, contentType: unknown): Promise<boolean> {
  if (typeof contentType === 'string' && !/^(text\/|\*\/\*)/i.test(contentType) && !isJsonType(contentType))
    return true;
  const found = await documents.resolve(part);
  if (!hasMembers(found.value)) return false;
  const { type, items } = found.value;
  if (type !== 'array' || !hasMembers(items)) return isBinary(found.value);
  const { value } = await documents.resolve({ ...found, value: items });
  return hasMembers(value) && isBinary(value);
}

function isBinary({ format, contentMediaType, contentEncoding }: Members): boolean {
  if (format === 'binary' || contentEncoding === 'binary') return true;
  if (typeof contentMediaType !== 'string' || contentEncoding !== undefined) return false;
  return !contentMediaType.startsWith('text/') && !isJsonType(contentMediaType);
}

function essenceOf(type: string): string {
  return (type.split(';')[0] ?? '').trim().toLowerCase();
}
