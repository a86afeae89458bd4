import type { AttachmentFault, TurnMessage } from '../request/turn-request.ts';
import { TurnError } from '../errors/turn-error.ts';

/**
 * Refuses a message before the model is called (contract/limits.md#messages and contract/hub.md): too long in UTF-16 code units, with
 * attachments it may not have, or without a word, an attachment or a card.
 * @throws TurnError `message_too_long`, an `AttachmentFault` or `invalid_request`.
 */
export function admitMessage(message: TurnMessage, limits: { readonly maxMessageLength: number }): void {
  if (limits.maxMessageLength > 0 && message.text.length > limits.maxMessageLength) {
    throw new TurnError('refused', 'message_too_long', `the message has ${String(message.text.length)} characters`);
  }
  const { attachmentFault: fault } = message;
  if (fault !== undefined) throw new TurnError('refused', fault, faultTexts[fault], retryableOf(fault));
  // A user who sent nothing but a file is told that the file was left out, not that the message was empty.
  const attached = [message.images, message.files, message.warnings].some((list = []) => list.length > 0);
  if (message.cardSubmit === undefined && !attached && message.text.trim() === '') {
    throw new TurnError('refused', 'invalid_request', 'the message is empty');
  }
}

const faultTexts: Readonly<Record<AttachmentFault, string>> = {
  too_many_images: 'the message has more images than maxImagesPerMessage',
  image_too_large: 'an image of the message is larger than maxImageBytes',
  too_many_files: 'the message has more files than maxFilesPerMessage',
  file_too_large: 'a file of the message is larger than maxFileBytes',
  overloaded: 'too many bytes of images and files are held',
};

function retryableOf(fault: AttachmentFault): { readonly retryable?: boolean } {
  return fault === 'overloaded' ? { retryable: true } : {};
}
