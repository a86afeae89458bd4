import type { ShownFeedback } from '../../wire/feedback-body.ts';
import { toJson } from '../transport/signalr/to-json.ts';
import type { AnswerOptions } from './answer-contract.ts';

const timeLimitMs = 15_000;

/** Tells the server what the user thinks of the reply of a turn. Rejects when the server does not keep it. */
export async function sendRating(
  { host, token, conversation }: Pick<AnswerOptions, 'host' | 'token' | 'conversation'>,
  turnId: string,
  feedback: ShownFeedback | undefined,
): Promise<void> {
  const { connectionId, state } = conversation;
  const url = new URL(`${host.settings.controlPath}/feedback`, host.scriptUrl);
  if (connectionId !== null) url.searchParams.set('connectionId', connectionId);
  const conversationId = state.conversationId === null ? {} : { conversationId: state.conversationId };
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(await token.headers()) },
    credentials: 'include',
    body: toJson({ turnId, ...conversationId, rating: null, ...feedback }),
    signal: AbortSignal.timeout(timeLimitMs),
  });
  if (!response.ok) throw new Error(`feedback was answered with ${String(response.status)}`);
}
