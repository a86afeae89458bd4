import type { HelperSettings } from '../../config/settings.ts';

/** The settings that say what images a message may bring. */
export type ImageSettingName = 'enableImageInput' | 'maxImageBytes' | 'maxImagesPerMessage';

/**
 * The largest request worth reading: a message of `maxMessageLength` in its longest JSON spelling (`\uXXXX`) with all the
 * images it may have, and room for what comes beside it.
 */
export function maxMessageBytes(settings: Pick<HelperSettings, 'maxMessageLength' | ImageSettingName>): number {
  const room = 256 * 1024;
  const unlimited = 16 * 1024 * 1024;
  const text = settings.maxMessageLength === 0 ? unlimited : settings.maxMessageLength * 6 + room;
  return text + largestImages(settings);
}

/** Bytes of all the images of one message, as base64. */
export function largestImages(settings: Pick<HelperSettings, ImageSettingName>): number {
  if (!settings.enableImageInput) return 0;
  return settings.maxImagesPerMessage * Math.ceil(settings.maxImageBytes / 3) * 4;
}
