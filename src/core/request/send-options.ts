import type { Language } from '../language/language.ts';
import type { CurrentPage, DetachedTurn } from './turn-request.ts';

/** What a channel may send along with a message. */
export interface SendOptions {
  /** Replaces the session's page for this and later turns. */
  readonly page?: CurrentPage;
  /** The language of the page, for a server whose configuration names none. Left out, the configured one. */
  readonly language?: Language | undefined;
  /** The turn whose exchange this message takes the place of, if it is the last one and has changed nothing. */
  readonly replaces?: string | undefined;
  /** The W3C trace context the message came with, well-formed: what the turn asks of callbacks goes on in that trace. */
  readonly traceparent?: string | undefined;
  /** Nobody reads the reply before it is complete. */
  readonly isReadWhole?: boolean | undefined;
  /** The turn goes on without a reader. Only where turns are kept from their beginning (`server.durableTurns`). */
  readonly detached?: DetachedTurn | undefined;
  /** Takes back a message that still waits for its turn. The turn of the message ends as stopped. Use `Turn.stop` for a turn that runs. */
  readonly signal?: AbortSignal | undefined;
}
