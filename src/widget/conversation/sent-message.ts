import type { SendMessageOptions, SendMessageResult } from '../../wire/hub-methods.ts';
import type { SentImage } from '../images/composed-image.ts';
import { HubRefusal } from '../transport/hub-port.ts';
import type { ConversationOptions } from './conversation-options.ts';
import { append, type ConversationState, type Entry, type Notice, type UserMessage } from './conversation-state.ts';
import { endTurn, withReplaced } from './end-turn.ts';

/** What a message carries beside its text (contract/hub.md#side-by-side). */
export function sendOptions(
  { cardSubmit, images, replaces }: UserMessage,
  options: Pick<ConversationOptions, 'page' | 'locale'>,
): SendMessageOptions {
  const page = options.page();
  return {
    locale: options.locale(),
    ...(page === undefined ? {} : { page }),
    ...(cardSubmit === undefined ? {} : { cardSubmit }),
    ...(replaces && { replaces }),
    ...(images && { attachments: images.map(({ name, contentType, data }) => ({ name, contentType, data })) }),
  };
}

/** The entries without the exchange that the message takes the place of, and that exchange. */
export function replacedBy(
  { replaces }: UserMessage,
  entries: readonly Entry[],
): { readonly entries: readonly Entry[]; readonly replaced: readonly Entry[] } {
  const found = entries.findLastIndex((entry) => entry.kind === 'user' && entry.turnId === replaces);
  const from = replaces === undefined || found < 0 ? entries.length : found;
  return { entries: entries.slice(0, from), replaced: entries.slice(from) };
}

/** The part of a message's pictures that the transcript keeps. The data for the server is left out. */
export function shownImages({ images }: UserMessage): { readonly images?: readonly SentImage[] } {
  return images ? { images: images.map(({ name, thumbnail }) => ({ name, thumbnail })) } : {};
}

/** Whether the server refused the message so that the user can word it differently. */
export function isReturned({ status, code }: SendMessageResult, { cardSubmit }: UserMessage): boolean {
  return status === 'refused' && code !== 'out_of_scope' && cardSubmit === undefined;
}

/** Why there is no connection, by the error of the attempt to connect. */
export function lostBy(error: unknown): 'signed-out' | 'lost' {
  return error instanceof HubRefusal && error.type === 'signed-out' ? error.type : 'lost';
}

/** The state after the message of the running turn could not be sent. */
export function unsent(state: ConversationState, message: UserMessage, notice: Notice): ConversationState {
  const lost = notice.type === 'signed-out' ? notice.type : 'lost';
  const connection = notice.type === 'failed' ? state.connection : lost;
  const retry = notice.type === 'forbidden' ? null : message;
  return append(endTurn(withReplaced({ ...state, connection }), 'none'), { kind: 'notice', notice, retry });
}

/** The state after the connection has ended. `refused` says that the server accepts no user by this token. */
export function closed(state: ConversationState, refused: 'signed-out' | null): ConversationState {
  const ended = endTurn({ ...state, connection: refused ?? 'lost' }, 'interrupted');
  return refused === null ? ended : append(ended, { kind: 'notice', notice: { type: refused }, retry: null });
}
