import type { SentImage } from './composed-image.ts';

/** Draws a picture on its canvas, which it makes as large. */
export function drawThumbnail(canvas: HTMLCanvasElement, { thumbnail }: SentImage): void {
  const { width, height } = thumbnail;
  Object.assign(canvas, { width, height });
  canvas.getContext('2d')?.drawImage(thumbnail as ImageBitmap, 0, 0); // composed-image.ts
}
