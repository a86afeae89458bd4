import type { ClientSettings } from '../wire/client-settings.ts';
import type { WidgetOptions } from './widget-options.ts';

type ImageOptions = Pick<
  WidgetOptions,
  'enableImageInput' | 'maxImageBytes' | 'maxImagesPerMessage' | 'allowedImageTypes'
>;

type FileOptions = Pick<WidgetOptions, 'enableFileInput' | 'maxFileBytes' | 'maxFilesPerMessage' | 'allowedFileTypes'>;

/**
 * The limits of the pictures that the widget may send (contract/widget.md#pictures). Empty while it may send no pictures, or when no type
 * is allowed.
 */
export function widgetImages(options: ImageOptions): Pick<ClientSettings, 'images'> {
  const { allowedImageTypes: types, maxImageBytes: maxBytes, maxImagesPerMessage: maxCount } = options;
  return options.enableImageInput && types.length > 0 ? { images: { maxBytes, maxCount, types } } : {};
}

/** The limits of the files that the widget may send (contract/widget.md#files). Empty while it may send none. */
export function widgetFiles(options: FileOptions): Pick<ClientSettings, 'files'> {
  const { allowedFileTypes: types, maxFileBytes: maxBytes, maxFilesPerMessage: maxCount } = options;
  return options.enableFileInput ? { files: { maxBytes, maxCount, types } } : {};
}
