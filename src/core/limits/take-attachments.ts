import { oneLine } from '../base/one-line.ts';
import type { FileMediaType, MessageFile } from '../ports/message-file.ts';
import type { MessageImage } from '../ports/message-image.ts';
import type { CallerMetrics, Metrics } from '../ports/metrics.ts';
import { imageBounds, imageSize } from '../request/image-size.ts';
import type { LeftOutReason } from '../errors/error-codes.ts';
import type { Attachment, AttachmentFault, SentMessage, TurnMessage, TurnWarning } from '../request/turn-request.ts';
import type { CallerRoom, Place } from './caller-room.ts';
import { type CountedCaller, tenantOfCaller } from './counted-caller.ts';
import { fileType } from './file-type.ts';
import { decodedBytes, imageType } from './image-type.ts';

/** The options of contract/images.md. */
export interface ImageSettings {
  readonly enableImageInput: boolean;
  readonly maxImageBytes: number;
  readonly maxImagesPerMessage: number;
  readonly allowedImageTypes: readonly string[];
}

/** The options of contract/files.md, where files are read. */
export interface FileSettings {
  readonly maxFileBytes: number;
  readonly maxFilesPerMessage: number;
  readonly allowedFileTypes: readonly FileMediaType[];
}

/** The settings by which the attachments of a message are checked, and the room in which their bytes are counted. */
export interface AttachmentIntake {
  readonly images: ImageSettings;
  /** Left out, no files are read. */
  readonly files?: FileSettings | undefined;
  /** Counts the bytes of attachments that wait or are looked at. */
  readonly room: CallerRoom;
  readonly metrics: Pick<Metrics, 'of'>;
}

/** A message in the form in which a turn takes it. */
export interface TakenMessage {
  readonly message: TurnMessage;
  /** The room that the attachments of the message hold until its turn has ended. */
  readonly place?: Place;
}

/**
 * Takes images and files out of what was sent, before the message waits for anything (contract/images.md and contract/files.md). What is
 * neither, of an allowed type, is left out with a warning. While both are off, everything is left out. Of an attachment, only the name, the
 * type and the data go on from here.
 */
export function takeAttachments(
  sent: SentMessage,
  caller: CountedCaller | undefined,
  intake: AttachmentIntake,
): TakenMessage {
  const { attachments = [], ...message } = sent;
  if (attachments.length === 0) return { message };
  const counted = intake.metrics.of(tenantOfCaller(caller));
  const { images, files, warnings, isUnfolding } = sorted(attachments, intake, counted);
  const warned = warnings.length === 0 ? message : { ...message, warnings };
  const taken = [...images, ...files];
  if (taken.length === 0) return { message: warned };
  const fault = faultOfImages(images, intake.images) ?? (isUnfolding ? 'image_too_large' : faultOfFiles(files, intake));
  if (fault !== undefined) return refused(fault);
  const place = intake.room.take(caller, heldBytes(taken));
  if (place === undefined) return refused('overloaded');
  const brought = { ...(images.length > 0 ? { images } : {}), ...(files.length > 0 ? { files } : {}) };
  return { message: { ...warned, ...brought }, place };

  function refused(attachmentFault: AttachmentFault): TakenMessage {
    counted.filesDropped(attachmentFault, taken.length);
    return { message: { ...warned, attachmentFault } };
  }
}

interface Sorted {
  readonly images: readonly MessageImage[];
  readonly files: readonly MessageFile[];
  readonly warnings: readonly TurnWarning[];
  /** Whether one of the images is a small file that unfolds to too many pixels. */
  readonly isUnfolding: boolean;
}

function sorted(
  attachments: readonly Attachment[],
  { images: settings, files: fileSettings }: AttachmentIntake,
  counted: Pick<CallerMetrics, 'filesDropped'>,
): Sorted {
  const images: MessageImage[] = [];
  const files: MessageFile[] = [];
  const warnings: TurnWarning[] = [];
  let isUnfolding = false;
  for (const [index, attachment] of attachments.entries()) {
    const { name, data } = attachment;
    const type = fileSettings === undefined || imageType(data) !== undefined ? undefined : fileType(attachment);
    if (type !== undefined && fileSettings?.allowedFileTypes.includes(type) === true) {
      files.push({ name: shownName(name, index), mediaType: type, data });
      continue;
    }
    const taken = typeOf(data, settings);
    if ('mediaType' in taken) {
      isUnfolding ||= taken.isUnfolding;
      images.push({ name: shownName(name, index), mediaType: taken.mediaType, data });
      continue;
    }
    const isFile = fileSettings !== undefined && imageType(data) === undefined;
    const reason = isFile ? 'type' : taken.dropped;
    counted.filesDropped(reason, 1);
    const code = isFile ? 'file_type_dropped' : 'image_type_dropped';
    warnings.push({ code, ...(name === undefined ? {} : { name }), reason });
  }
  return { images, files, warnings, isUnfolding };
}

function typeOf(
  data: string,
  { enableImageInput, allowedImageTypes, maxImageBytes }: ImageSettings,
): (Pick<MessageImage, 'mediaType'> & { readonly isUnfolding: boolean }) | { readonly dropped: LeftOutReason } {
  if (!enableImageInput) return { dropped: 'disabled' };
  const mediaType = imageType(data);
  if (mediaType === undefined) return { dropped: 'no_image' };
  if (!allowedImageTypes.includes(mediaType)) return { dropped: 'type' };
  // An image that is refused for its length is not looked at further.
  if (decodedBytes(data) > maxImageBytes) return { mediaType, isUnfolding: false };
  const size = imageSize({ mediaType, data });
  if (size === undefined) return { dropped: 'no_image' };
  return { mediaType, isUnfolding: size.side > imageBounds.side || size.pixels > imageBounds.pixels };
}

function faultOfImages(
  images: readonly MessageImage[],
  { maxImageBytes, maxImagesPerMessage }: ImageSettings,
): AttachmentFault | undefined {
  if (images.length > maxImagesPerMessage) return 'too_many_images';
  return images.some(({ data }) => decodedBytes(data) > maxImageBytes) ? 'image_too_large' : undefined;
}

function faultOfFiles(
  files: readonly MessageFile[],
  { files: settings }: Pick<AttachmentIntake, 'files'>,
): AttachmentFault | undefined {
  if (settings === undefined) return undefined;
  if (files.length > settings.maxFilesPerMessage) return 'too_many_files';
  return files.some(({ data }) => decodedBytes(data) > settings.maxFileBytes) ? 'file_too_large' : undefined;
}

function heldBytes(attachments: readonly { readonly data: string }[]): number {
  return attachments.reduce((sum, { data }) => sum + data.length, 0);
}

/** The history shows the name in brackets, so the name must neither end its line nor the brackets. */
function shownName(name: string | undefined, index: number): string {
  const shown = oneLine((name ?? '').replace(/[[\]<>]+/g, ' '));
  return shown === '' ? String(index + 1) : shown;
}
