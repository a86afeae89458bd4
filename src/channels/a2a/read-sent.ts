import { type Message, type Part, Role, type SendMessageRequest, type Task } from '@a2a-js/sdk';
import {
  ContentTypeNotSupportedError,
  PushNotificationNotSupportedError,
  RequestMalformedError,
} from '@a2a-js/sdk/errors';
import type { Attachment } from '../../core/request/turn-request.ts';

/** What another agent asks, with its ids checked. */
export interface SentTask {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** The message as the task keeps it: its texts, without pictures and without what the client has added. */
  readonly message: Message;
  /** Undefined: the task begins a context of its own. */
  readonly contextId: string | undefined;
  /** Undefined: the message begins a task. */
  readonly taskId: string | undefined;
  /** The answer is the task as it begins, not as it ends. */
  readonly isImmediate: boolean;
  /** How many messages of its history a task is answered with. Undefined: all. */
  readonly historyLength: number | undefined;
}

/** The most parts of a message. */
const mostParts = 50;
const longestId = 128;
/** Characters of a message that a task keeps. */
const longestKept = 20_000;

/**
 * Reads a message. No address in it is fetched (contract/a2a-server.md#messages).
 * @throws RequestMalformedError for a message without text or with a bad id; ContentTypeNotSupportedError for a part of another media
 * type than the card names; PushNotificationNotSupportedError for a client that wants to be called back.
 */
export function readSent({ message, configuration }: SendMessageRequest, inputModes: readonly string[]): SentTask {
  if (message === undefined) throw new RequestMalformedError('The request needs a message.');
  if (configuration?.taskPushNotificationConfig !== undefined) throw new PushNotificationNotSupportedError();
  if (message.role !== Role.ROLE_USER) throw new RequestMalformedError('The role of the message must be ROLE_USER.');
  const [messageId, contextId, taskId] = [
    idOf('messageId', message.messageId),
    idOf('contextId', message.contextId),
    idOf('taskId', message.taskId),
  ];
  if (messageId === undefined) throw new RequestMalformedError('The message needs a messageId.');
  if (message.parts.length > mostParts)
    throw new RequestMalformedError(`The message has more than ${String(mostParts)} parts.`);
  const texts = message.parts.flatMap((part) => (part.content?.$case === 'text' ? [part.content.value] : []));
  const attachments = message.parts.flatMap((part) => attachmentIn(part, inputModes));
  const text = texts.join('\n\n');
  if (text.trim() === '' && attachments.length === 0)
    throw new RequestMalformedError('The message needs a part with text.');
  return {
    ...{ text, attachments, contextId, taskId },
    message: { ...emptyMessage, messageId, role: Role.ROLE_USER, parts: [textPart(keptText(text))] },
    isImmediate: configuration?.returnImmediately === true,
    historyLength: historyLengthOf(configuration?.historyLength),
  };
}

/** @throws RequestMalformedError for a length below 0. */
export function historyLengthOf(length: number | undefined): number | undefined {
  if (length === undefined || (Number.isInteger(length) && length >= 0)) return length;
  throw new RequestMalformedError('historyLength must be a whole number of at least 0.');
}

/** A part with nothing but a text. */
export function textPart(value: string): Part {
  return { content: { $case: 'text', value }, metadata: undefined, filename: '', mediaType: 'text/plain' };
}

/** A message without content. The members of the protocol are all there. */
export const emptyMessage: Message = {
  ...{ messageId: '', contextId: '', taskId: '', role: Role.ROLE_AGENT, parts: [], metadata: undefined },
  ...{ extensions: [], referenceTaskIds: [] },
};

/** What the server itself says of a task. */
export function statusMessage(text: string, { id: taskId, contextId }: Pick<Task, 'id' | 'contextId'>): Message {
  return {
    ...emptyMessage,
    ...{ messageId: `${taskId}-status`, taskId, contextId, role: Role.ROLE_AGENT, parts: [textPart(text)] },
  };
}

/** An id that a client has made up. Undefined where there is none. @throws RequestMalformedError for an id that no line of a log can hold. */
function idOf(name: string, id: string): string | undefined {
  if (id === '') return undefined;
  if (id.length <= longestId && /^[!-~]+$/.test(id)) return id;
  throw new RequestMalformedError(
    `${name} must be at most ${String(longestId)} printable ASCII characters without spaces.`,
  );
}

/** The text as the task keeps it. A message that is too long is refused, and must not fill the store all the same. */
function keptText(text: string): string {
  return text.length <= longestKept ? text : `${text.slice(0, longestKept)} […]`;
}

function attachmentIn({ content, mediaType, filename }: Part, inputModes: readonly string[]): readonly Attachment[] {
  if (content?.$case === 'text') return [];
  if (content?.$case !== 'raw' || !inputModes.includes(mediaType))
    throw new ContentTypeNotSupportedError(
      `The parts of a message may be: ${inputModes.join(', ')}. Pictures come as raw bytes.`,
    );
  const name = filename === '' ? {} : { name: filename.slice(0, 200) };
  return [{ ...name, contentType: mediaType, data: content.value.toString('base64') }];
}
