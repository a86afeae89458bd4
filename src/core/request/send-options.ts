import type { CurrentPage } from './turn-request.ts';

/** What comes with a message beside it. */
export interface SendOptions {
  /** Replaces the session's page for this and later turns. */
  readonly page?: CurrentPage;
  /** The W3C trace context the message came with, well-formed: what the turn asks of callbacks goes on in that trace. */
  readonly traceparent?: string | undefined;
  /** Takes a message back that still waits for its turn: it ends as stopped. A turn that runs is stopped by `Turn.stop`. */
  readonly signal?: AbortSignal | undefined;
}
