import type { MessageImage } from '../ports/chat-model.ts';

/** Base64 characters that hold what tells the types apart: the first twelve bytes. */
const headCharacters = 16;

/**
 * What a file is by its first bytes, whatever its sender calls it; undefined when it is no image of a type that models read,
 * or no base64 at all (contract/images.md).
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

/** Whether a text is base64 alone: providers refuse a whole request for one character that base64 does not have. */
function isBase64(data: string): boolean {
  return data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(data);
}
