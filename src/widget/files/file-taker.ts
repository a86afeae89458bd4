import { base64 } from '../images/base64.ts';
import type { ComposedImage } from '../images/composed-image.ts';
import type { FileLimits, ImageLimits, Taker } from '../images/image-contract.ts';
import { megabytes, pictureTaker } from '../images/picture-taker.ts';
import { pictureType } from '../images/picture-type.ts';
import { fill, type WidgetTexts } from '../texts/widget-texts.ts';
import { drawChip } from './draw-chip.ts';

/** A paper clip. */
const drawing = 'm20 11-8.6 8.6a5 5 0 0 1-7-7L13 4a3.3 3.3 0 0 1 4.7 4.7l-8.5 8.5a1.6 1.6 0 0 1-2.3-2.3l7.6-7.6';

/** The endings by which files of each type are picked. The first one stands for the others. */
const endings: Readonly<Record<string, readonly string[]>> = {
  'application/pdf': ['.pdf'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['.docx'],
  'text/markdown': ['.md', '.markdown'],
  'text/csv': ['.csv'],
  'text/plain': ['.txt', '.log'],
};

/** Takes files whose text the server reads, and pictures where it takes those. */
export function fileTaker(limits: FileLimits, images: ImageLimits | undefined): Taker {
  const pictures = images && pictureTaker(images);
  return {
    drawing,
    // Some systems know types, and some only endings.
    accept: [...limits.types, ...limits.types.flatMap((type) => endings[type] ?? []), ...(pictures?.accept ?? [])],
    names: ({ attachFiles: attach, files: list }) => ({ attach, list }),
    async take(file, around) {
      const isPicture = (await pictureType(file).catch(() => undefined)) !== undefined;
      return isPicture && pictures !== undefined ? pictures.take(file, around) : takeFile(file, limits, around);
    },
    draw: (sent) => (sent.thumbnail && pictures ? pictures.draw(sent) : drawChip(sent)),
  };
}

async function takeFile(
  file: File,
  { types, maxBytes, maxCount }: FileLimits,
  { taken, texts }: { readonly taken: readonly ComposedImage[]; readonly texts: WidgetTexts },
): Promise<ComposedImage | string> {
  const { name } = file;
  const type = types.find((known) => endings[known]?.some((ending) => name.toLowerCase().endsWith(ending)));
  if (type === undefined) return fill(texts.notAFile, { name });
  if (taken.filter(({ thumbnail }) => !thumbnail).length >= maxCount)
    return fill(texts.tooManyFiles, { max: maxCount });
  if (file.size > maxBytes) return fill(texts.imageTooLarge, { name, max: megabytes(maxBytes, texts) });
  const data = await base64(file).catch(() => '');
  return data === '' ? fill(texts.notAFile, { name }) : { name: name.slice(-255), contentType: type, data };
}
