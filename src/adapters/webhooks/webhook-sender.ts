import { request } from 'undici';
import { describeError } from '../shared/describe-error.ts';
import { Outbound } from '../shared/network/outbound.ts';
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
  readonly #outbound = new Outbound({ maxHeaderSize: 16 * 1024 });

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
        dispatcher: this.#outbound.dispatcher,
        method: 'POST',
        headers: { 'content-type': 'application/json', ...signatureHeaders({ id, body }, this.#keys, Date.now()) },
        body,
        signal: AbortSignal.any([AbortSignal.timeout(attemptMs), closing]),
      });
      await answer.dump({ limit: readBytes }).catch(() => undefined);
      if (statusCode >= 200 && statusCode < 300) return 'taken';
      return statusCode === 410 ? 'gone' : { reason: `it answered ${String(statusCode)}` };
    } catch (error) {
      return { reason: describeError(error) };
    }
  }

  close(): Promise<void> {
    return this.#outbound.close();
  }
}
