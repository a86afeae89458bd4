import type { ImageSettings } from '../../src/core/limits/take-attachments.ts';

/** The defaults of contract/images.md. */
export const imagesOff: ImageSettings = {
  enableImageInput: false,
  maxImageBytes: 4_194_304,
  maxImagesPerMessage: 4,
  allowedImageTypes: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
};

/** The same settings with image input on. */
export const imagesOn: ImageSettings = { ...imagesOff, enableImageInput: true };

/** A whole picture of one blue pixel, as base64. */
export const bluePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPj/HwADAgIAfm2oXQAAAABJRU5ErkJggg==';

/** The first bytes of a PNG whose headers say this size, in pixels, as base64. */
export function pngOf(width: number, height: number): string {
  const bytes = Buffer.from(bluePixel, 'base64');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes.toString('base64');
}

/** The first bytes of a file of each type, followed by zeros up to `bytes`, as base64. Images are of one pixel. */
export function fileOf(type: keyof typeof heads, bytes = 30): string {
  const head = Buffer.from(heads[type], 'latin1');
  return Buffer.concat([head, Buffer.alloc(bytes - head.length)]).toString('base64');
}

const heads = {
  'image/png': '\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR\0\0\0\x01\0\0\0\x01',
  'image/jpeg': '\xFF\xD8\xFF\xC0\0\x11\x08\0\x01\0\x01',
  'image/gif': 'GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x01\xFF\0;',
  'image/webp': 'RIFF\x10\0\0\0WEBPVP8L\0\0\0\0\x2F',
  'image/svg+xml': '<svg xmlns="http://w',
  'application/pdf': '%PDF-1.7',
  'image/bmp': 'BM',
  'audio/wav': 'RIFF\x10\0\0\0WAVE',
} as const;
