import { isBase64 } from '../base/is-base64.ts';
import type { MessageImage } from '../ports/message-image.ts';

/** Base64 characters of the first twelve bytes of a file. These bytes tell the types of images apart. */
const headCharacters = 16;

/**
 * The type of an image by its first bytes, whatever its sender calls it. Undefined when the file is no image of a type that models read, or
 * when the text is not base64 (contract/images.md).
 */
export function imageType(data: string): MessageImage['mediaType'] | undefined {
  const head = Buffer.from(data.slice(0, headCharacters), 'base64').toString('latin1');
  const type = typeOfHead(head);
  return type !== undefined && isBase64(data) ? type : undefined;
}

/** Bytes that a base64 text stands for. */
export function decodedBytes(data: string): number {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  return Math.floor((data.length * 3) / 4) - padding;
}

function typeOfHead(head: string): MessageImage['mediaType'] | undefined {
  if (head.startsWith('\x89PNG\r\n\x1A\n')) return 'image/png';
  if (head.startsWith('\xFF\xD8\xFF')) return 'image/jpeg';
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'image/gif';
  if (head.startsWith('RIFF') && head.startsWith('WEBP', 8)) return 'image/webp';
  return undefined;
}
