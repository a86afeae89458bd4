import type { ChannelName } from '../events/turn-event.ts';
import type { Principal } from '../identity/principal.ts';
import type { MessageImage } from '../ports/chat-model.ts';
import type { TurnErrorCode, TurnWarningCode } from '../errors/error-codes.ts';
import type { UiAction } from './ui-actions.ts';

/** Something of a message that was left out. */
export interface TurnWarning {
  readonly code: TurnWarningCode;
  readonly name?: string;
}

/** Why images refuse their message. */
export type ImageFault = Extract<TurnErrorCode, 'too_many_images' | 'image_too_large' | 'overloaded'>;

/** A file sent with a message, as its sender describes it. Only its content says what it is. */
export interface Attachment {
  readonly name?: string;
  readonly contentType: string;
  /** Base64. */
  readonly data: string;
}

/** What a channel hands over for one turn, already checked against its wire schema. */
export interface SentMessage {
  readonly text: string;
  readonly attachments?: readonly Attachment[];
  /** A submitted card (contract/cards.md): untrusted input. */
  readonly cardSubmit?: { readonly cardId: string; readonly data: unknown };
}

/** What a turn is asked: the text, and what of the attachments it takes. */
export interface TurnMessage extends Pick<SentMessage, 'text' | 'cardSubmit'> {
  readonly images?: readonly MessageImage[];
  /** What was left out of the message. */
  readonly warnings?: readonly TurnWarning[];
  /** Why the message is refused for its images; it has none then. */
  readonly imageFault?: ImageFault;
}

/** The page the user is on, as the client told it with `SetPage` (contract/hub.md#methods). Untrusted text. */
export interface CurrentPage {
  readonly name: string;
  readonly title?: string;
  readonly url?: string;
  readonly data?: unknown;
}

/** Who asks for a turn, and what came along with the request. */
export interface TurnCaller {
  readonly principal: Principal;
  /** The caller's own `Authorization` header, when a token was presented. Never kept, never logged. */
  readonly authorization: string | undefined;
  /** The W3C trace context the message came with, well-formed: what the turn asks of callbacks goes on in that trace. */
  readonly traceparent: string | undefined;
}

/** What the rest of the core may know of the way a turn came in by. Nothing compares names of channels. */
export interface ChannelTraits {
  readonly name: ChannelName;
  /** Who answers a question that is put there: its owner, or whoever holds its id (contract/identity.md#whose-it-is). */
  readonly confirmations: 'owned' | 'by-id';
  /** Whether a user may choose there not to be asked again (contract/confirmations.md#rules-in-place-of-the-user, `canRemember`). */
  readonly canRemember: boolean;
  /** Whether a caller without a name has the same key in more than one turn. */
  readonly keepsCaller: boolean;
  /** Whether a new connection of the user can take the conversation over (contract/hub.md#when-the-line-breaks, `Resume`). */
  readonly canHandOver: boolean;
}

/** The ways in to a turn (contract/events.md#one-sequence). */
export const channelTraits: Readonly<Record<ChannelName, ChannelTraits>> = {
  hub: { name: 'hub', confirmations: 'owned', canRemember: true, keepsCaller: true, canHandOver: true },
  sse: { name: 'sse', confirmations: 'by-id', canRemember: false, keepsCaller: false, canHandOver: false },
  'in-process': {
    name: 'in-process',
    confirmations: 'owned',
    canRemember: true,
    keepsCaller: true,
    canHandOver: false,
  },
};

/** One message of one caller: the same object from the channel to the tool. */
export interface TurnRequest {
  readonly caller: TurnCaller;
  readonly channel: ChannelTraits;
  readonly message: TurnMessage;
  readonly page: CurrentPage | undefined;
  /** What the page of the connection offers when the turn begins. */
  readonly uiActions: readonly UiAction[];
}
