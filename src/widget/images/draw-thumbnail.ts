import type { SentImage } from './composed-image.ts';

/** A picture on a canvas as large as its thumbnail. Empty without one. */
export function drawThumbnail({ name, thumbnail }: SentImage): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  const { width, height } = thumbnail ?? { width: 0, height: 0 };
  Object.assign(canvas, { width, height });
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', name);
  if (thumbnail) canvas.getContext('2d')?.drawImage(thumbnail as ImageBitmap, 0, 0); // composed-image.ts makes it so
  return canvas;
}
