import type { SendOptions } from '../../core/request/send-options.ts';
import type { Attachment, CurrentPage, SentMessage } from '../../core/request/turn-request.ts';
import { languageOfLocale } from '../../wire/client-settings.ts';
import { bounded, boundedJson, id, list, object, optional, text, breaksRule, wrong } from './read-values.ts';

/** Characters of a language tag. Long ones have 35. */
export const maxLocale = 64;
const maxAttachments = 32;
const maxAttachmentText = 255;
const maxPageName = 200;
const maxPageTitle = 500;
const maxPageUrl = 2_048;
const maxPageDataBytes = 8_192;
const maxCardDataBytes = 16_384;

/** A message as a client sent it: `SentMessage` is for the turn, and `SendOptions` is for the session. */
export interface ReadMessage {
  readonly message: SentMessage;
  readonly options: SendOptions;
}

/**
 * Reads `text, {attachments?, page?, cardSubmit?, locale?, replaces?}` (contract/hub.md#methods). Optional values may also be null. A missing text becomes an
 * empty text, which the core refuses unless the message has other content.
 * @throws ValueFault
 */
export function readMessage(given: unknown, options: unknown): ReadMessage {
  const fields = optional(options, 'the second argument', object) ?? {};
  const attachments = optional(fields['attachments'], 'attachments', readAttachments);
  const cardSubmit = optional(fields['cardSubmit'], 'cardSubmit', readCardSubmit);
  const page = optional(fields['page'], 'page', readPage);
  const locale = optional(fields['locale'], 'locale', bounded(maxLocale));
  const replaces = optional(fields['replaces'], 'replaces', id);
  const language = locale === undefined ? undefined : languageOfLocale(locale);
  return {
    message: {
      text: optional(given, 'text', text) ?? '',
      ...(attachments && { attachments }),
      ...(cardSubmit && { cardSubmit }),
    },
    options: { ...(page && { page }), ...(language && { language }), ...(replaces !== undefined && { replaces }) },
  };
}

/** Reads where the user is. @throws ValueFault */
export function readPage(value: unknown, name: string): CurrentPage {
  const fields = object(value, name);
  if ((fields['actions'] ?? undefined) !== undefined) throw wrong(`${name}.actions is not known`);
  const title = optional(fields['title'], `${name}.title`, bounded(maxPageTitle));
  const url = optional(fields['url'], `${name}.url`, bounded(maxPageUrl));
  const data = optional(fields['data'], `${name}.data`, boundedJson(maxPageDataBytes));
  return {
    name: bounded(maxPageName)(fields['name'], `${name}.name`),
    ...(title !== undefined && { title }),
    ...(url !== undefined && { url }),
    ...(data !== undefined && { data }),
  };
}

function readAttachments(value: unknown, name: string): readonly Attachment[] {
  const entries = list(value, name);
  if (entries.length > maxAttachments) throw breaksRule(`${name} has more than ${String(maxAttachments)} entries.`);
  return entries.map((entry) => readAttachment(entry, name));
}

function readAttachment(value: unknown, name: string): Attachment {
  const fields = object(value, name);
  const fileName = optional(fields['name'], `${name}.name`, bounded(maxAttachmentText));
  const contentType = bounded(maxAttachmentText)(fields['contentType'], `${name}.contentType`);
  const data = text(fields['data'], `${name}.data`);
  return { ...(fileName !== undefined && { name: fileName }), contentType, data };
}

function readCardSubmit(value: unknown, name: string): { readonly cardId: string; readonly data: unknown } {
  const { cardId, data } = object(value, name);
  return {
    cardId: id(cardId, `${name}.cardId`),
    data: boundedJson(maxCardDataBytes)(data ?? null, `${name}.data`),
  };
}
