import type { HelperSettings } from '../config/settings.ts';
import type { ClientSettings } from '../wire/client-settings.ts';

/**
 * What pictures the widget may send (service.md 2.20): what both the widget's settings and the server's allow, so that what it sends
 * is taken. Empty while either is off, or no type is left.
 */
export function widgetImages(settings: HelperSettings): Pick<ClientSettings, 'images'> {
  const { client } = settings;
  const types = client.allowedImageTypes.filter((type) => settings.allowedImageTypes.includes(type));
  if (!client.enableImageInput || !settings.enableImageInput || types.length === 0) return {};
  return {
    images: {
      maxBytes: Math.min(client.maxImageBytes, settings.maxImageBytes),
      maxCount: Math.min(client.maxImagesPerMessage, settings.maxImagesPerMessage),
      types,
    },
  };
}
