import type { ChannelName } from '../events/turn-event.ts';
import type { Principal } from '../identity/principal.ts';
import type { Language } from '../language/language.ts';
import type { MessageFile } from '../ports/message-file.ts';
import type { MessageImage } from '../ports/message-image.ts';
import type { LeftOutReason, TurnErrorCode, TurnWarningCode } from '../errors/error-codes.ts';
import type { UiAction } from './ui-actions.ts';

/** A part of a message that was left out. */
export interface TurnWarning {
  readonly code: TurnWarningCode;
  readonly name?: string;
  /** Absent in a turn that an earlier version of the server has kept. */
  readonly reason?: LeftOutReason;
}

/** Why a message is refused because of its images or files. */
export type AttachmentFault = Extract<
  TurnErrorCode,
  'too_many_images' | 'image_too_large' | 'too_many_files' | 'file_too_large' | 'overloaded'
>;

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

/** What a turn is asked: the text, and the accepted parts of the attachments. */
export interface TurnMessage extends Pick<SentMessage, 'text' | 'cardSubmit'> {
  readonly images?: readonly MessageImage[];
  /** Files whose text is read for this turn (contract/files.md). */
  readonly files?: readonly MessageFile[];
  /** What was left out of the message. */
  readonly warnings?: readonly TurnWarning[];
  /** Why the message is refused because of its images or files. Such a message has none. */
  readonly attachmentFault?: AttachmentFault;
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
  /**
   * A hash of the token of a program whose user is asked on a page of this server: whoever answers must have signed in with another token
   * (contract/a2a-server.md#confirmations). Left out: the channel itself says whether anybody can be asked.
   */
  readonly credential?: string | undefined;
}

/** What the rest of the core may know of the channel of a turn. No code compares the names of channels. */
export interface ChannelTraits {
  readonly name: ChannelName;
  /** Who may answer a question on this channel: its owner, or anybody who has its id (contract/identity.md#whose-it-is). */
  readonly confirmations: 'owned' | 'by-id';
  /**
   * Whether a user of this channel may choose not to be asked again (contract/confirmations.md#rules-in-place-of-the-user, `canRemember`).
   */
  readonly canRemember: boolean;
  /** Whether a caller without a name has the same key in more than one turn. */
  readonly keepsCaller: boolean;
  /** Whether a new connection of the user can take the conversation over (contract/hub.md#when-the-line-breaks, `Resume`). */
  readonly canHandOver: boolean;
  /** Whether a conversation on this channel continues from message to message, so that its user may want to return to it. */
  readonly keepsConversations: boolean;
  /**
   * Replies are read as text alone: nobody can be asked, shown a card or sent to a page (contract/openai.md#what-a-client-gets). Left out, a
   * client shows all that an event says.
   */
  readonly isTextOnly?: true;
  /**
   * Messages come from another agent, so they are no words of a user (contract/provenance.md#whose-words), and no remote agent is asked about
   * them (contract/a2a-server.md#tasks).
   */
  readonly isFromAgent?: true;
  /**
   * A reply is read in the answer to its request alone, and nobody comes back for it. So no other process goes on with a turn of this channel
   * (contract/openai.md#restarts).
   */
  readonly endsWithRequest?: true;
  /** Messages of callers without a name are not counted by `rateLimitPerUser` (contract/a2a-server.md#who-may-ask). */
  readonly countsNamedOnly?: true;
}

/** The traits of each channel (contract/events.md#one-sequence). */
export const channelTraits: Readonly<Record<ChannelName, ChannelTraits>> = {
  hub: {
    name: 'hub',
    confirmations: 'owned',
    canRemember: true,
    keepsCaller: true,
    canHandOver: true,
    keepsConversations: true,
  },
  sse: {
    name: 'sse',
    confirmations: 'by-id',
    canRemember: false,
    keepsCaller: false,
    canHandOver: false,
    keepsConversations: false,
  },
  'in-process': {
    name: 'in-process',
    confirmations: 'owned',
    canRemember: true,
    keepsCaller: true,
    canHandOver: false,
    keepsConversations: true,
  },
  openai: {
    name: 'openai',
    confirmations: 'owned',
    canRemember: false,
    keepsCaller: false,
    canHandOver: false,
    keepsConversations: false,
    isTextOnly: true,
    endsWithRequest: true,
  },
  a2a: {
    name: 'a2a',
    confirmations: 'owned',
    canRemember: false,
    keepsCaller: false,
    canHandOver: false,
    keepsConversations: false,
    isTextOnly: true,
    isFromAgent: true,
    countsNamedOnly: true,
  },
  agui: {
    name: 'agui',
    confirmations: 'owned',
    canRemember: false,
    keepsCaller: false,
    canHandOver: false,
    keepsConversations: false,
  },
};

/** A turn that goes on without a reader, until its end (contract/sse.md#detached-turns). */
export interface DetachedTurn {
  /** The address that is told the end. */
  readonly webhook?: string;
}

/** One message of one caller: the same object from the channel to the tool. */
export interface TurnRequest {
  readonly caller: TurnCaller;
  readonly channel: ChannelTraits;
  readonly message: TurnMessage;
  readonly page: CurrentPage | undefined;
  /** The language of the page, for a server whose configuration names none. Left out, the configured one. */
  readonly language?: Language;
  /** Nobody reads the reply before it is complete, so that it may be made twice (contract/models.md#routing, `Cascade`). */
  readonly isReadWhole?: true;
  /** Left out: a turn that nobody reads any more is stopped. */
  readonly detached?: DetachedTurn;
  /** The turn whose exchange this one takes the place of: the last one of the conversation, which has changed nothing. */
  readonly replaces?: string;
  /** What the page of the connection offers when the turn begins. */
  readonly uiActions: readonly UiAction[];
}
