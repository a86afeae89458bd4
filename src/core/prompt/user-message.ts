import type { Origin } from '../events/origin.ts';
import type { Influence } from '../events/turn-event.ts';
import type { ChatMessage } from '../ports/chat-model.ts';
import type { CurrentPage, TurnMessage, TurnRequest } from '../request/turn-request.ts';
import { influencedMember, influenceOf, joinInfluences, silenced } from '../provenance/influences.ts';
import { delimited } from './delimited.ts';

type UserMessage = Extract<ChatMessage, { readonly role: 'user' }>;

/** A piece of the prompt, and where its text came from. */
export interface PromptPart {
  readonly text: string;
  readonly origin: Origin;
  /** The untrusted texts in it. Left out, the origin is all that is known of them. */
  readonly influencedBy?: readonly Influence[];
}

/** The words that cameras, phones and browsers give to pictures, with digits or without. Somebody may have written any other name. */
const words =
  'image|images|img|pic|picture|photo|foto|dsc|dscn|dscf|pxl|scan|screenshot|mvimg|unnamed|untitled|download';
const saysNothing = new RegExp(`^(?:(?:${words})[ _-]?)?[\\d _.-]*(?:\\.[a-z]{3,4})?$`, 'iu');

/** The form that was submitted with a message, as `userMessage` writes it. */
const submittedForm = /^<data of="form the user submitted">\n[^<]*\n<\/data>\n/;

/**
 * The user's message as it is kept in the history. A submitted card belongs to it, as delimited data (contract/cards.md); images and
 * files are kept by name alone, since what they hold is shown for their own turn only.
 */
export function userMessage({ text, cardSubmit, images = [], files = [] }: TurnMessage): UserMessage {
  const submitted = formOf(cardSubmit);
  const names = [...images.map(({ name }) => `[image: ${name}]`), ...files.map(({ name }) => `[file: ${name}]`)];
  const said = [...(text === '' ? [] : [text]), ...names].join('\n');
  // A card comes from an action, and anybody may have written the data that the card itself submits.
  const ofCard = cardSubmit === undefined ? [] : influenceOf('action');
  const ofNames = [...images, ...files].flatMap(({ name }) =>
    saysNothing.test(name) ? [] : influenceOf('document', name),
  );
  const influences = joinInfluences(ofCard, ofNames);
  return { role: 'user', text: submitted + said, origin: 'user', ...influencedMember(influences) };
}

/** The form that is submitted with a message, as `userMessage` writes it. Empty where there is none. */
export function formOf(cardSubmit: TurnMessage['cardSubmit']): string {
  return cardSubmit === undefined ? '' : delimited('form the user submitted', cardSubmit) + '\n';
}

/** The form that was submitted with a message of the history. Empty where there was none. */
export function submittedText({ role, text }: ChatMessage): string {
  return role === 'user' ? (submittedForm.exec(text)?.[0] ?? '') : '';
}

/** Whether a page has only an empty name: it wants to say nothing. */
function saysNothingOfItself({ name, ...more }: CurrentPage): boolean {
  return name === '' && Object.values(more).every((value) => value === undefined);
}

/** The page the user is on, as delimited data (contract/hub.md#methods); empty when it is not known, or says nothing of itself. */
export function pagePart(page: CurrentPage | undefined): PromptPart {
  if (page === undefined || saysNothingOfItself(page)) return { text: '', origin: 'page' };
  const influences = influenceOf('page', page.title ?? page.name);
  // The user reads the title on the page itself. What the data hold, they may not have seen.
  const influencedBy = page.data === undefined ? silenced(influences) : influences;
  return { text: delimited('page the user is on', page), origin: 'page', influencedBy };
}

/**
 * The message as it is sent to the model in this turn. Page and documents are sent in this turn only. The origin of the message is the
 * first untrusted origin among its parts.
 */
export function beside(message: UserMessage, parts: readonly PromptPart[]): UserMessage {
  const given = parts.filter(({ text }) => text !== '');
  const foreign = given.find(({ origin }) => origin !== 'operator' && origin !== 'user');
  if (given.length === 0) return message;
  const text = [...given.map((part) => part.text), message.text].join('\n');
  const influences = joinInfluences(...given.map(influencesOfPart), message.influencedBy ?? []);
  return { role: 'user', text, origin: foreign?.origin ?? message.origin ?? 'user', ...influencedMember(influences) };
}

function influencesOfPart({ origin, influencedBy }: PromptPart): readonly Influence[] {
  return influencedBy ?? influenceOf(origin);
}

/** The message as it is sent to the model in this turn, with the content of its images. */
export function withImages(message: UserMessage, { images }: Pick<TurnMessage, 'images'>): UserMessage {
  return images === undefined ? message : { ...message, images };
}

/**
 * The words that a user has written in a message. What is sent with a submitted card names its button, in the words of the card. What another
 * agent sends, its model may have made up or read somewhere (contract/provenance.md#whose-words).
 */
export function typedWords({ channel, message }: Pick<TurnRequest, 'channel' | 'message'>): readonly string[] {
  const { text, cardSubmit } = message;
  return channel.isFromAgent !== true && cardSubmit === undefined && text !== '' ? [text] : [];
}

/** The words that a user has written in a message of the history, without the names of its images and files. Empty where a form was submitted. */
export function wordsOfUser(message: ChatMessage): readonly string[] {
  if (message.role !== 'user' || submittedForm.test(message.text)) return [];
  return [message.text.replaceAll(/^\[(?:image|file): [^\]\n]*\]$/gm, '')];
}

/** What the user typed of a kept message, without the form that was submitted with it. */
export function typedText(kept: UserMessage): string {
  return kept.text.replace(submittedForm, '');
}
