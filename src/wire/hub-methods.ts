import type { TurnHubEvents } from './hub-events.ts';
import type { RestoredSession } from './session-bodies.ts';

/** Arguments and results of the hub's methods (contract/hub.md#methods). Trailing arguments may be left out or null. */
export interface SendMessageOptions {
  readonly attachments?: readonly { readonly name?: string; readonly contentType: string; readonly data: string }[];
  readonly page?: PageContext;
  /** A language tag (BCP 47), for servers whose configuration names no language. */
  readonly locale?: string;
  /** The last turn of the conversation: this message takes the place of its exchange, if it has changed nothing. */
  readonly replaces?: string;
  readonly cardSubmit?: { readonly cardId: string; readonly data: unknown };
}

export interface PageContext {
  readonly name: string;
  readonly title?: string;
  readonly url?: string;
  readonly data?: unknown;
}

/** The argument of `SetPage`. */
export interface SetPageArgument extends PageContext {
  /** The actions that the page offers to the assistant. They replace the earlier ones. */
  readonly actions?: readonly OfferedUiAction[];
}

export interface OfferedUiAction {
  /** `^[a-z][a-z0-9_]{0,58}$`; the model knows it as `page_NAME`. */
  readonly name: string;
  readonly description: string;
  /** A JSON Schema of type object, at most 4 KiB. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Declares that the action changes nothing. Otherwise the user is asked first. */
  readonly readOnly?: boolean;
  /** Declares that the effect of the action cannot be undone. The question says so. */
  readonly destructive?: boolean;
}

export interface SendMessageResult {
  readonly turnId: string;
  readonly status: TurnHubEvents['TurnCompleted']['status'];
  readonly text: string;
  readonly code?: string;
}

/** The result of `OpenConversation`: the id and the messages of the conversation. */
export type OpenConversationResult = Pick<RestoredSession, 'conversationId' | 'messages'>;

export interface ResumeResult {
  readonly turnId: string;
  readonly lastSeq: number;
  readonly running: boolean;
}
