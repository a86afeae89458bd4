import type { ClientSettings } from '../wire/client-settings.ts';
import type { WidgetOptions } from './widget-options.ts';

type ImageOptions = Pick<
  WidgetOptions,
  'enableImageInput' | 'maxImageBytes' | 'maxImagesPerMessage' | 'allowedImageTypes'
>;

/**
 * The limits of the pictures that the widget may send (contract/widget.md#pictures). Empty while it may send no pictures, or when no type
 * is allowed.
 */
export function widgetImages(options: ImageOptions): Pick<ClientSettings, 'images'> {
  const { allowedImageTypes: types, maxImageBytes: maxBytes, maxImagesPerMessage: maxCount } = options;
  return options.enableImageInput && types.length > 0 ? { images: { maxBytes, maxCount, types } } : {};
}
