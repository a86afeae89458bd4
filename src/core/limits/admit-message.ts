import type { ImageFault, TurnMessage } from '../request/turn-request.ts';
import { TurnError } from '../errors/turn-error.ts';

/**
 * Refuses a message before the model is called (contract/limits.md#messages and contract/hub.md): too long in UTF-16 code units, with
 * images it may not have, or without a word, an attachment or a card.
 * @throws TurnError `message_too_long`, an `ImageFault` or `invalid_request`.
 */
export function admitMessage(message: TurnMessage, limits: { readonly maxMessageLength: number }): void {
  if (limits.maxMessageLength > 0 && message.text.length > limits.maxMessageLength) {
    throw new TurnError('refused', 'message_too_long', `the message has ${String(message.text.length)} characters`);
  }
  const { imageFault } = message;
  if (imageFault !== undefined)
    throw new TurnError('refused', imageFault, faultTexts[imageFault], retryableOf(imageFault));
  // A user who sent nothing but a file is told that the file was left out, not that the message was empty.
  const files = (message.images ?? []).length + (message.warnings ?? []).length;
  if (message.cardSubmit === undefined && files === 0 && message.text.trim() === '') {
    throw new TurnError('refused', 'invalid_request', 'the message is empty');
  }
}

const faultTexts: Readonly<Record<ImageFault, string>> = {
  too_many_images: 'the message has more images than maxImagesPerMessage',
  image_too_large: 'an image of the message is larger than maxImageBytes',
  overloaded: 'too many bytes of images are held',
};

function retryableOf(fault: ImageFault): { readonly retryable?: boolean } {
  return fault === 'overloaded' ? { retryable: true } : {};
}
