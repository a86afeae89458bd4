import type { Attachment, TurnMessage } from '../request/turn-request.ts';
import type { TurnWarningCode } from '../errors/error-codes.ts';
import { TurnError } from '../errors/turn-error.ts';

export interface TurnWarning {
  readonly code: TurnWarningCode;
  readonly name?: string;
}

/** Attachments of a message that are left out: image input is off in this server (wire.md 2). */
export function droppedAttachments(message: TurnMessage): readonly TurnWarning[] {
  return (message.attachments ?? []).map((attachment: Attachment) => ({
    code: 'image_type_dropped',
    ...(attachment.name === undefined ? {} : { name: attachment.name }),
  }));
}

/**
 * Refuses a message before the model is called (service.md 2.7 and 8, wire.md 2 and 3): too long in UTF-16 code units, or
 * without a word, an attachment or a card.
 * @throws TurnError `message_too_long` or `invalid_request`.
 */
export function admitMessage(message: TurnMessage, limits: { readonly maxMessageLength: number }): void {
  if (limits.maxMessageLength > 0 && message.text.length > limits.maxMessageLength) {
    throw new TurnError('refused', 'message_too_long', `the message has ${String(message.text.length)} characters`);
  }
  const alone = message.cardSubmit === undefined && (message.attachments ?? []).length === 0;
  if (alone && message.text.trim() === '') {
    throw new TurnError('refused', 'invalid_request', 'the message is empty');
  }
}
