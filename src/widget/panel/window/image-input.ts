import type { ImageLimits, ImagesModule } from '../../images/image-contract.ts';
import type { PanelHost } from '../../widget-contract.ts';
import { LazyChunk } from '../lazy-chunk.ts';

/** File name of the images chunk of this build (scripts/build-widget.ts). */
declare const IMAGES_CHUNK: string;

/** Pictures may go with messages. */
export interface ImageInput {
  readonly limits: ImageLimits;
  /** Rejects when the chunk cannot be fetched. */
  readonly load: () => Promise<ImagesModule>;
}

/** What takes pictures, with the chunk that is fetched with the first one; null when the server takes none. */
export function imageInput(host: PanelHost, addStyles: (css: string) => void): ImageInput | null {
  const { images: limits } = host.settings;
  if (limits === undefined) return null;
  const chunk = new LazyChunk<ImagesModule>({ host, file: IMAGES_CHUNK, addStyles });
  return { limits, load: () => chunk.load() };
}
