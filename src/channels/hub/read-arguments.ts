import type { SendOptions } from '../../core/request/send-options.ts';
import type { Attachment, CurrentPage, TurnMessage } from '../../core/request/turn-request.ts';
import { pageSchemaFault } from '../../core/ui-actions/page-schema.ts';
import type { UiAction } from '../../core/request/ui-actions.ts';
import { HubArgumentError, HubError } from './protocol/hub-errors.ts';

const idPattern = /^[A-Za-z0-9._-]{1,64}$/;
const maxAttachments = 32;
const maxAttachmentText = 255;
const maxPageName = 200;
const maxPageTitle = 500;
const maxPageUrl = 2_048;
const maxPageDataBytes = 8_192;
const maxUiActions = 32;
/** `page_` in front of it, it is the name of a tool. */
const uiActionName = /^[a-z][a-z0-9_]{0,58}$/;
const maxUiActionDescription = 500;
const maxUiActionSchemaBytes = 4_096;
const maxCardDataBytes = 16_384;
/** Far below what JSON.stringify can write: the data is written again for the model, and must not throw there. */
const maxDataLevels = 64;

type Fields = Readonly<Record<string, unknown>>;

/** What a message method was called with. */
export interface MessageArguments {
  readonly message: TurnMessage;
  readonly options: SendOptions;
}

/**
 * Reads `text, {attachments?, page?, cardSubmit?}` (wire.md 3). Arguments and properties may be left out or null; text
 * that is left out is empty, which the core refuses unless something else is sent.
 * @throws HubArgumentError for a wrong type, HubError for what is too long
 */
export function readMessageArguments(given: readonly unknown[]): MessageArguments {
  const fields = optional(given[1], 'the second argument', object) ?? {};
  const attachments = optional(fields['attachments'], 'attachments', readAttachments);
  const cardSubmit = optional(fields['cardSubmit'], 'cardSubmit', readCardSubmit);
  const page = optional(fields['page'], 'page', readPage);
  return {
    message: {
      text: optional(given[0], 'text', text) ?? '',
      ...(attachments && { attachments }),
      ...(cardSubmit && { cardSubmit }),
    },
    options: page === undefined ? {} : { page },
  };
}

/** Reads the argument of `SetPage`. @throws HubArgumentError for a wrong type, HubError for what is over a limit */
export function readPageArgument(given: readonly unknown[]): {
  readonly page: CurrentPage;
  readonly actions: readonly UiAction[];
} {
  const { actions, ...page } = object(given[0], 'page');
  return { page: readPage(page, 'page'), actions: optional(actions, 'page.actions', readUiActions) ?? [] };
}

/** Reads the argument of `Resume`. @throws HubArgumentError */
export function readResumeArgument(given: readonly unknown[]): { readonly turnId: string; readonly afterSeq: number } {
  const { turnId, afterSeq } = object(given[0], 'the argument');
  if (typeof turnId !== 'string' || !idPattern.test(turnId)) throw new HubArgumentError('turnId is not an id');
  if (typeof afterSeq !== 'number' || !Number.isSafeInteger(afterSeq) || afterSeq < 0) {
    throw new HubArgumentError('afterSeq is not a sequence number');
  }
  return { turnId, afterSeq };
}

function readPage(value: unknown, name: string): CurrentPage {
  const fields = object(value, name);
  if ((fields['actions'] ?? undefined) !== undefined) throw new HubArgumentError(`${name}.actions is not known`);
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

function readUiActions(value: unknown, name: string): readonly UiAction[] {
  if (!Array.isArray(value)) throw new HubArgumentError(`${name} is not an array`);
  if (value.length > maxUiActions) throw new HubError(`${name} has more than ${String(maxUiActions)} entries.`);
  const actions = value.map((entry: unknown, index) => readUiAction(entry, `${name}[${String(index)}]`));
  const twice = actions.find((action, index) => actions.findIndex((other) => other.name === action.name) < index);
  if (twice !== undefined) throw new HubError(`${name} has ${twice.name} twice.`);
  return actions;
}

function readUiAction(value: unknown, path: string): UiAction {
  const fields = object(value, path);
  const name = text(fields['name'], `${path}.name`);
  if (!uiActionName.test(name)) throw new HubError(`${path}.name must match ${uiActionName.source}.`);
  const given = object(fields['parameters'], `${path}.parameters`);
  boundedJson(maxUiActionSchemaBytes)(given, `${path}.parameters`);
  // MessagePack has values that JSON has not: what is checked here is what the model will read.
  const parameters = object(JSON.parse(JSON.stringify(given)), `${path}.parameters`);
  const fault = pageSchemaFault(parameters);
  if (fault !== undefined) throw new HubError(`${path}.parameters ${fault}.`);
  return {
    name,
    description: bounded(maxUiActionDescription)(fields['description'], `${path}.description`),
    parameters,
    readOnly: optional(fields['readOnly'], `${path}.readOnly`, flag) ?? false,
  };
}

function readAttachments(value: unknown, name: string): readonly Attachment[] {
  if (!Array.isArray(value)) throw new HubArgumentError(`${name} is not an array`);
  if (value.length > maxAttachments) throw new HubError(`${name} has more than ${String(maxAttachments)} entries.`);
  return value.map((entry: unknown) => readAttachment(entry, name));
}

function readAttachment(value: unknown, list: string): Attachment {
  const fields = object(value, list);
  const fileName = optional(fields['name'], `${list}.name`, bounded(maxAttachmentText));
  const contentType = bounded(maxAttachmentText)(fields['contentType'], `${list}.contentType`);
  text(fields['data'], `${list}.data`);
  // The content goes no further than here: the message may have to wait for its turn.
  return { ...(fileName !== undefined && { name: fileName }), contentType };
}

function readCardSubmit(value: unknown, name: string): { readonly cardId: string; readonly data: unknown } {
  const { cardId, data } = object(value, name);
  if (typeof cardId !== 'string' || !idPattern.test(cardId)) throw new HubArgumentError(`${name}.cardId is not an id`);
  return { cardId, data: boundedJson(maxCardDataBytes)(data ?? null, `${name}.data`) };
}

function optional<T>(value: unknown, name: string, read: (value: unknown, name: string) => T): T | undefined {
  return value === undefined || value === null ? undefined : read(value, name);
}

function object(value: unknown, name: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new HubArgumentError(`${name} is not an object`);
  }
  // Guaranteed by JSON.parse: an object that is no array has string keys and unknown values.
  return value as Fields;
}

function flag(value: unknown, name: string): boolean {
  if (typeof value !== 'boolean') throw new HubArgumentError(`${name} is not a boolean`);
  return value;
}

function text(value: unknown, name: string): string {
  if (typeof value !== 'string') throw new HubArgumentError(`${name} is not a string`);
  return value;
}

function bounded(maxLength: number): (value: unknown, name: string) => string {
  return (value, name) => {
    const read = text(value, name);
    if (read.length > maxLength) throw new HubError(`${name} is longer than ${String(maxLength)} characters.`);
    return read;
  };
}

function boundedJson(maxBytes: number): (value: unknown, name: string) => unknown {
  return (value, name) => {
    if (!fitsInto(maxDataLevels, value)) throw new HubError(`${name} has more than ${String(maxDataLevels)} levels.`);
    if (Buffer.byteLength(JSON.stringify(value)) > maxBytes) {
      throw new HubError(`${name} is larger than ${String(maxBytes)} bytes.`);
    }
    return value;
  };
}

/** Whether a value has at most so many objects and lists in each other. */
function fitsInto(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => fitsInto(levels - 1, inner));
}
