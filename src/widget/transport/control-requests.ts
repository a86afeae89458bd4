import type { ApproveBody } from '../../wire/control-bodies.ts';
import type { PageToken } from './page-token.ts';
import { toJson } from './signalr/to-json.ts';

/** `gone`: the server had nothing left to answer. */
export type AnswerOutcome = 'approved' | 'declined' | 'gone';

/** Requests beside the hub, because the hub runs one call at a time (contract/confirmations.md#stop). */
export interface ControlRequests {
  /** Rejects with an `AnswerRefusal` when the server refused, and with another error when the answer did not arrive. */
  approve(answer: ApproveBody): Promise<AnswerOutcome>;
  /** Rejects when the server could not be reached or refused. */
  cancel(connectionId: string): Promise<void>;
}

/** The server refused the answer, and the question is still open. */
export class AnswerRefusal extends Error {
  override readonly name = 'AnswerRefusal';
  /** The server's words. Null when the server does not know the user. */
  readonly detail: string | null;

  constructor(detail: string | null) {
    super(detail ?? 'unauthenticated');
    this.detail = detail;
  }
}

/** Makes the requests with `fetch`. They carry the user's token and the page's cookies, also to a server on another origin. */
export function createControlRequests(approveUrl: string, cancelUrl: string, token: PageToken): ControlRequests {
  const post = async (url: string, body: unknown): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(await token.headers()) },
      credentials: 'include',
      body: toJson(body),
      signal: AbortSignal.timeout(15_000),
    });
  return {
    async approve(answer) {
      const response = await post(approveUrl, answer);
      if (response.status === 404) return 'gone';
      if (!response.ok) throw await refusalIn(response);
      return answer.approved ? 'approved' : 'declined';
    },
    async cancel(connectionId) {
      const response = await post(cancelUrl, { connectionId });
      if (!response.ok) throw new Error(`cancel was answered with ${String(response.status)}`);
    },
  };
}

/** What the server says about a refused answer. A fault of the server itself is not shown to the user. */
async function refusalIn(response: Response): Promise<Error> {
  if (response.status === 401) return new AnswerRefusal(null);
  const { detail } = (await response.json().catch(() => ({}))) as Readonly<Record<string, unknown>>; // the body is problem+json
  if (response.status < 500 && typeof detail === 'string') return new AnswerRefusal(detail);
  return new Error(`approve was answered with ${String(response.status)}`);
}
