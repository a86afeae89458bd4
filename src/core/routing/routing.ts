import type { ChatMessage, ChatModel } from '../ports/chat-model.ts';
import type { Spender } from '../ports/spender.ts';

/** A message, and what tells how hard it is. */
export interface RoutedMessage {
  readonly text: string;
  /** What was said before it, the oldest first. */
  readonly before: readonly ChatMessage[];
  /** The tenant of its user; undefined without one. */
  readonly tenant: string | undefined;
  /** Out of whose budgets questions about it are asked. */
  readonly spender: Spender;
}

/** Tells which messages need the strong model (contract/models.md#routing). */
export interface Router {
  /** Decides at once, where it asks nobody; left out, it asks somebody. MUST NOT throw. */
  readonly now?: (text: string) => boolean;
  /** @throws where it could not be told; the signal's reason once that aborts. */
  readonly needsStrong: (message: RoutedMessage, signal: AbortSignal) => Promise<boolean>;
}

/** The strong model, and who tells when it answers. */
export interface Routing {
  readonly strong: ChatModel;
  readonly router: Router;
}
