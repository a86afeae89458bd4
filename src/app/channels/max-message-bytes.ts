import type { HelperSettings } from '../../config/settings.ts';

/** The settings that say what images and files a message may bring. */
export type AttachmentSettingName =
  | 'enableImageInput'
  | 'maxImageBytes'
  | 'maxImagesPerMessage'
  | 'enableFileInput'
  | 'maxFileBytes'
  | 'maxFilesPerMessage';

type AttachmentLimits = Pick<HelperSettings, AttachmentSettingName>;

/**
 * The largest request worth reading: a message of `maxMessageLength` in its longest JSON spelling (`\uXXXX`) with all the
 * images and files it may have, and room for what comes beside it.
 */
export function maxMessageBytes(settings: Pick<HelperSettings, 'maxMessageLength' | AttachmentSettingName>): number {
  const room = 256 * 1024;
  const unlimited = 16 * 1024 * 1024;
  const text = settings.maxMessageLength === 0 ? unlimited : settings.maxMessageLength * 6 + room;
  return text + largestAttachments(settings);
}

/** Bytes of all the images and files of one message, as base64. */
export function largestAttachments(settings: AttachmentLimits): number {
  const images = settings.enableImageInput ? settings.maxImagesPerMessage * inBase64(settings.maxImageBytes) : 0;
  const files = settings.enableFileInput ? settings.maxFilesPerMessage * inBase64(settings.maxFileBytes) : 0;
  return images + files;
}

/** The names of the settings that bound a message, as a sentence lists them. */
export function messageSettings({ enableImageInput, enableFileInput }: AttachmentLimits): string {
  const names = [
    'maxMessageLength',
    ...(enableImageInput ? ['maxImageBytes', 'maxImagesPerMessage'] : []),
    ...(enableFileInput ? ['maxFileBytes', 'maxFilesPerMessage'] : []),
  ];
  const last = names.pop() ?? '';
  return names.length === 0 ? last : `${names.join(', ')} and ${last}`;
}

function inBase64(bytes: number): number {
  return Math.ceil(bytes / 3) * 4;
}
