import type { ChatMessage, ChatModel } from '../ports/chat-model.ts';
import type { Spender } from '../ports/spender.ts';

/** A message, with the facts that a router judges it by. */
export interface RoutedMessage {
  readonly text: string;
  /** The earlier messages, the oldest first. */
  readonly before: readonly ChatMessage[];
  /** The tenant of the message's user. Undefined without one. */
  readonly tenant: string | undefined;
  /** The spender whose budgets pay for the router's questions about the message. */
  readonly spender: Spender;
}

/** Tells which messages need the strong model (contract/models.md#routing). */
export interface Router {
  /** Decides at once, without a request to anyone. Left out, the router needs such a request. MUST NOT throw. */
  readonly now?: (text: string) => boolean;
  /** @throws when the router cannot decide, and the signal's reason once that aborts. */
  readonly needsStrong: (message: RoutedMessage, signal: AbortSignal) => Promise<boolean>;
}

/** A reply of the usual model, with what it answers. */
export interface JudgedReply extends Omit<RoutedMessage, 'before'> {
  readonly reply: string;
}

/** Tells which replies are not good enough. @throws when it cannot tell, and the signal's reason once that aborts. */
export type ReplyJudge = (judged: JudgedReply, signal: AbortSignal) => Promise<boolean>;

/** The strong model, and the router that decides when it answers. */
export interface Routing {
  readonly strong: ChatModel;
  readonly router: Router;
  /** Decides in place of the router where a reply is read whole: the strong model answers anew (`Cascade`). */
  readonly judge?: ReplyJudge | undefined;
}
