import { Agent, request } from 'undici';
import { describeError } from '../shared/describe-error.ts';
import { signatureHeaders, signingKeys } from '../shared/sign-request.ts';

/** Milliseconds of one attempt, in all. */
const attemptMs = 15_000;

/** Bytes of an answer that are read. What it says does not matter. */
const readBytes = 64 * 1024;

/** What came of an attempt. `gone`: the receiver wants no more of it. */
export type Attempt = 'taken' | 'gone' | { readonly reason: string };

/** Sends signed messages to webhooks (contract/sse.md#detached-turns). It follows no redirect. */
export class WebhookSender {
  readonly #keys: readonly Buffer[];
  readonly #agent = new Agent({ pipelining: 0, maxHeaderSize: 16 * 1024, headersTimeout: 0, bodyTimeout: 0 });

  /** `secret`: one or more `whsec_…`; each of them signs. */
  constructor(secret: string | readonly string[]) {
    this.#keys = signingKeys(secret);
  }

  /** Never rejects. */
  async send(
    message: { readonly id: string; readonly url: string; readonly body: string },
    closing: AbortSignal,
  ): Promise<Attempt> {
    const { id, url, body } = message;
    try {
      const { statusCode, body: answer } = await request(url, {
        dispatcher: this.#agent,
        method: 'POST',
        headers: { 'content-type': 'application/json', ...signatureHeaders({ id, body }, this.#keys, Date.now()) },
        body,
        signal: AbortSignal.any([AbortSignal.timeout(attemptMs), closing]),
      });
      await answer.dump({ limit: readBytes }).catch(() => undefined);
      if (statusCode >= 200 && statusCode < 300) return 'taken';
      return statusCode === 410 ? 'gone' : { reason: `it answered ${String(statusCode)}` };
    } catch (error) {
      return { reason: reasonOf(error) };
    }
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }
}

/** A failed connect keeps its reasons in `errors`. */
function reasonOf(error: unknown): string {
  return describeError(error instanceof AggregateError ? error.errors[0] : error);
}
