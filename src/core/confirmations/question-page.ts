import { HelperError } from '../errors/helper-error.ts';
import type { ConfirmationRequest } from '../events/turn-event.ts';
import type { ConfirmationAnswer } from './edited-arguments.ts';

/** What the page of a question knows of it (contract/mcp-server.md#the-page). */
export interface QuestionPage {
  /** A hash of the token of the program that asks. */
  readonly credential: string;
  /** What the page is given for its form, so that an answer is known to come from it. */
  readonly proof: string;
  readonly request: ConfirmationRequest;
}

/**
 * Throws HelperError `forbidden` for an answer that does not come from the page of its question. A program could otherwise answer the
 * question about its own call. Whoever can compare the proof needs to be the user already, so the time
 * of the comparison tells nobody anything.
 */
export function requirePage(page: QuestionPage | undefined, { proof }: ConfirmationAnswer): void {
  if (page === undefined || page.proof === proof) return;
  throw new HelperError('forbidden', 'This question is answered on its page. Open the page again.');
}
