import { isBase64 } from '../base/is-base64.ts';
import { oneLine } from '../base/one-line.ts';
import { maxResultLength, modelText } from './model-text.ts';

/** A part of a result in the form of the Model Context Protocol (contract/plugins.md#results). `data` and `blob` are base64. */
export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | { readonly type: 'resource'; readonly resource: ContentResource };

/** A file that is a part of a result: `text`, or bytes as `blob`. */
export type ContentResource = { readonly uri: string; readonly mimeType?: string } & (
  { readonly text: string } | { readonly blob: string }
);

/** The most characters of all parts together. */
export const longestContent = 8 * 1024 * 1024;

/** Most parts of a result. */
const mostParts = 100;

/** What is wrong with the parts of a result, or undefined where nothing is. */
export function contentFault(parts: unknown): string | undefined {
  if (!Array.isArray(parts)) return 'content needs a list of parts';
  if (parts.length > mostParts) return `content has more than ${String(mostParts)} parts`;
  let length = 0;
  for (const [index, part] of parts.entries()) {
    const fault = faultOfPart(part);
    if (fault !== undefined) return `part ${String(index + 1)} of content ${fault}`;
    length += JSON.stringify(part).length;
  }
  return length > longestContent ? `content is longer than ${String(longestContent)} characters` : undefined;
}

/** The parts of a result that a hook may have changed. Undefined where they are no content any more. */
export function contentOf(value: unknown): readonly ContentPart[] | undefined {
  // `contentFault` has checked the form of every part.
  return contentFault(value) === undefined ? (value as readonly ContentPart[]) : undefined;
}

/**
 * A result as the model of a turn reads it: the texts of the parts, and in place of what is no text a word about it. A hook may have made
 * something else of the parts, which is then a result like any other.
 */
export function contentText(value: unknown): string {
  if (!Array.isArray(value) || !value.every((part) => isObject(part) && 'type' in part)) return modelText(value);
  const texts: string[] = [];
  let length = 0;
  for (const part of value) {
    const text = textOfPart(part);
    texts.push(text);
    length += text.length;
    if (length > maxResultLength) break;
  }
  return modelText(texts.join('\n'));
}

/** One part as a model reads it, whoever wrote it. Pictures, sounds and files are named and left out. */
export function textOfPart(part: unknown): string {
  if (!isObject(part)) return '[something that is not shown]';
  switch (part['type']) {
    case 'text':
      return typeof part['text'] === 'string' ? part['text'] : '';
    case 'resource':
      return textOfResource(isObject(part['resource']) ? part['resource'] : {});
    case 'resource_link':
      return `[a link: ${lineOf(part['name'])} ${lineOf(part['uri'])}]`;
    case 'image':
      return '[an image, which is not shown]';
    case 'audio':
      return '[a sound, which is not played]';
    default:
      return '[something that is not shown]';
  }
}

function faultOfPart(part: unknown): string | undefined {
  if (!isObject(part)) return 'is no object';
  switch (part['type']) {
    case 'text':
      return typeof part['text'] === 'string' ? undefined : 'needs a text';
    case 'image':
    case 'audio':
      if (!isBase64(part['data'])) return 'needs data in base64';
      return isMediaType(part['mimeType']) ? undefined : 'needs a mimeType such as image/png';
    case 'resource':
      return faultOfResource(part['resource']);
    default:
      return 'has another type than text, image, audio and resource';
  }
}

function faultOfResource(resource: unknown): string | undefined {
  if (!isObject(resource)) return 'needs a resource';
  const { uri, mimeType, text, blob } = resource;
  if (typeof uri !== 'string' || !URL.canParse(uri)) return 'needs a resource with a uri';
  if (mimeType !== undefined && !isMediaType(mimeType)) return 'needs a mimeType such as text/csv';
  if (typeof text === 'string') return blob === undefined ? undefined : 'needs either text or blob';
  return isBase64(blob) ? undefined : 'needs a text, or a blob in base64';
}

function isMediaType(value: unknown): value is string {
  return typeof value === 'string' && /^[a-z]+\/[a-z0-9][a-z0-9.+-]{0,99}$/i.test(value);
}

function textOfResource({ text, uri }: Readonly<Record<string, unknown>>): string {
  return typeof text === 'string' ? text : `[a file, which is not shown: ${lineOf(uri)}]`;
}

function lineOf(value: unknown): string {
  return typeof value === 'string' ? oneLine(value.slice(0, 500)) : '';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
