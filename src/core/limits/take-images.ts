import { oneLine } from '../base/one-line.ts';
import type { Attachment, ImageFault, SentMessage, TurnMessage, TurnWarning } from '../request/turn-request.ts';
import type { MessageImage } from '../ports/message-image.ts';
import type { CallerMetrics, FileDrop, Metrics } from '../ports/metrics.ts';
import type { CallerRoom, Place } from './caller-room.ts';
import { type CountedCaller, tenantOfCaller } from './counted-caller.ts';
import { imageBounds, imageSize } from '../request/image-size.ts';
import { decodedBytes, imageType } from './image-type.ts';

/** The options of contract/images.md. */
export interface ImageSettings {
  readonly enableImageInput: boolean;
  readonly maxImageBytes: number;
  readonly maxImagesPerMessage: number;
  readonly allowedImageTypes: readonly string[];
}

/** The settings by which the images of a message are checked, and the room in which their bytes are counted. */
export interface ImageIntake {
  readonly settings: ImageSettings;
  /** Counts the bytes of images that wait or are looked at. */
  readonly room: CallerRoom;
  readonly metrics: Pick<Metrics, 'of'>;
}

/** A message in the form in which a turn takes it. */
export interface TakenMessage {
  readonly message: TurnMessage;
  /** The room that the images of the message hold until its turn has ended. */
  readonly place?: Place;
}

/**
 * Takes the images out of what was sent, before the message waits for anything (contract/images.md). A file that is no image of an allowed
 * type is left out with a warning. While image input is off, every file is left out. Of a file, only the name, the type and the data go on
 * from here.
 */
export function takeImages(sent: SentMessage, caller: CountedCaller | undefined, intake: ImageIntake): TakenMessage {
  const { attachments = [], ...message } = sent;
  if (attachments.length === 0) return { message };
  const counted = intake.metrics.of(tenantOfCaller(caller));
  const { images, warnings, isUnfolding } = sorted(attachments, intake.settings, counted);
  const warned = warnings.length === 0 ? message : { ...message, warnings };
  if (images.length === 0) return { message: warned };
  const imageFault = faultOf(images, intake.settings) ?? (isUnfolding ? 'image_too_large' : undefined);
  if (imageFault !== undefined) return refused(imageFault);
  const place = intake.room.take(caller, heldBytes(images));
  return place === undefined ? refused('overloaded') : { message: { ...warned, images }, place };

  function refused(fault: ImageFault): TakenMessage {
    counted.filesDropped(fault, images.length);
    return { message: { ...warned, imageFault: fault } };
  }
}

function sorted(
  attachments: readonly Attachment[],
  settings: ImageSettings,
  counted: Pick<CallerMetrics, 'filesDropped'>,
): {
  readonly images: readonly MessageImage[];
  readonly warnings: readonly TurnWarning[];
  /** Whether one of the images is a small file that unfolds to too many pixels. */
  readonly isUnfolding: boolean;
} {
  const images: MessageImage[] = [];
  const warnings: TurnWarning[] = [];
  let isUnfolding = false;
  for (const [index, { name, data }] of attachments.entries()) {
    const taken = typeOf(data, settings);
    if ('mediaType' in taken) {
      isUnfolding ||= taken.isUnfolding;
      images.push({ name: shownName(name, index), mediaType: taken.mediaType, data });
      continue;
    }
    counted.filesDropped(taken.dropped, 1);
    warnings.push({ code: 'image_type_dropped', ...(name === undefined ? {} : { name }) });
  }
  return { images, warnings, isUnfolding };
}

function typeOf(
  data: string,
  { enableImageInput, allowedImageTypes, maxImageBytes }: ImageSettings,
): (Pick<MessageImage, 'mediaType'> & { readonly isUnfolding: boolean }) | { readonly dropped: FileDrop } {
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

function faultOf(
  images: readonly MessageImage[],
  { maxImageBytes, maxImagesPerMessage }: ImageSettings,
): ImageFault | undefined {
  if (images.length > maxImagesPerMessage) return 'too_many_images';
  return images.some(({ data }) => decodedBytes(data) > maxImageBytes) ? 'image_too_large' : undefined;
}

function heldBytes(images: readonly MessageImage[]): number {
  return images.reduce((sum, { data }) => sum + data.length, 0);
}

/** The history shows the name in brackets, so the name must neither end its line nor the brackets. */
function shownName(name: string | undefined, index: number): string {
  const shown = oneLine((name ?? '').replace(/[[\]<>]+/g, ' '));
  return shown === '' ? String(index + 1) : shown;
}
