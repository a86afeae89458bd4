import { base64 } from './base64.ts';
import type { ComposedImage } from './composed-image.ts';
import type { ImageLimits } from './image-contract.ts';
import { pictureType } from './picture-type.ts';

/** Why a file is not sent: the name of the text that says so. */
export type ImageRefusal = 'imageTooLarge' | 'notAnImage';

/** A larger file is not even decoded. */
const mostBytes = 64 * 1024 * 1024;
/** The longer side of a thumbnail, in device pixels. */
const thumbnailSize = 320;
/** The longer side of a picture after it is made smaller, in pixels. Models see no finer detail. */
const largestSide = 2048;
const mostTries = 5;

/** Reads a file as a picture that the server takes. A picture that is too large is made smaller. */
export async function composeImage(file: File, limits: ImageLimits): Promise<ComposedImage | ImageRefusal> {
  const type = await pictureType(file);
  if (type === undefined || !limits.types.includes(type)) return 'notAnImage';
  if (file.size > mostBytes) return 'imageTooLarge';
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (bitmap === null) return 'notAnImage';
  const fitting = file.size <= limits.maxBytes ? file.slice(0, file.size, type) : await madeSmaller(bitmap, limits);
  const thumbnail = await createImageBitmap(bitmap, { ...sizeWithin(bitmap, thumbnailSize), resizeQuality: 'medium' });
  bitmap.close();
  if (fitting === null) return 'imageTooLarge';
  return { name: file.name.slice(0, 255), contentType: fitting.type, data: await base64(fitting), thumbnail };
}

/** The picture as a JPEG, or as the first accepted type, with ever fewer pixels until it fits. Null when no attempt fits. */
async function madeSmaller(bitmap: ImageBitmap, { maxBytes, types }: ImageLimits): Promise<Blob | null> {
  const type = types.includes('image/jpeg') ? 'image/jpeg' : types[0];
  for (let attempt = 0, side = largestSide; attempt < mostTries; attempt += 1, side /= 2) {
    const blob = await drawn(bitmap, sizeWithin(bitmap, side), type);
    // A browser writes PNG where it cannot write the wanted type.
    if (blob !== null && blob.size <= maxBytes && types.includes(blob.type)) return blob;
  }
  return null;
}

interface Size {
  readonly resizeWidth: number;
  readonly resizeHeight: number;
}

function sizeWithin({ width, height }: ImageBitmap, side: number): Size {
  const scale = Math.min(1, side / Math.max(width, height));
  return { resizeWidth: Math.max(1, Math.round(width * scale)), resizeHeight: Math.max(1, Math.round(height * scale)) };
}

function drawn(bitmap: ImageBitmap, size: Size, type: string | undefined): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  const { resizeWidth: width, resizeHeight: height } = size;
  Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d');
  if (context === null) return Promise.resolve(null);
  // A type without transparency would turn transparent parts black, so the ground is white.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, width, height);
  context.drawImage(bitmap, 0, 0, width, height);
  return new Promise((resolve) => canvas.toBlob(resolve, type, 0.85));
}
