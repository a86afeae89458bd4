import { fill, type WidgetTexts } from '../texts/widget-texts.ts';
import { composeImage } from './compose-image.ts';
import { drawThumbnail } from './draw-thumbnail.ts';
import type { ComposedImage } from './composed-image.ts';
import type { ImageLimits, Taker } from './image-contract.ts';

/** Takes pictures of the types that the server takes. */
export function pictureTaker(limits: ImageLimits): Taker {
  return {
    accept: limits.types,
    drawing: 'M4 5h16v14H4zm0 11 4.5-4.5 3.5 3.5 3-3 5 5M15.5 9h.01',
    names: ({ attachImages: attach, images: list }) => ({ attach, list }),
    take: (file, { taken, texts }) => takePicture(file, { limits, taken, texts }),
    draw: drawThumbnail,
  };
}

async function takePicture(
  file: File,
  {
    limits,
    taken,
    texts,
  }: { readonly limits: ImageLimits; readonly taken: readonly ComposedImage[]; readonly texts: WidgetTexts },
): Promise<ComposedImage | string> {
  const { tooManyImages, imageTooLarge, notAnImage } = texts;
  if (taken.filter(({ thumbnail }) => thumbnail).length >= limits.maxCount)
    return fill(tooManyImages, { max: limits.maxCount });
  const composed = await composeImage(file, limits).catch(() => 'notAnImage' as const);
  if (typeof composed !== 'string') return composed;
  return fill(composed === 'notAnImage' ? notAnImage : imageTooLarge, {
    name: file.name,
    max: megabytes(limits.maxBytes, texts),
  });
}

/** A limit as users know sizes: in megabytes, as their language writes numbers. */
export function megabytes(bytes: number, { locale }: Pick<WidgetTexts, 'locale'>): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }).format(Math.max(0.01, bytes / 1024 / 1024));
}
