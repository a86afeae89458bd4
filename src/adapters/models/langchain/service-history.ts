import { createHash } from 'node:crypto';
import type { HistoryMark, ModelRequest } from '../../../core/ports/chat-model.ts';
import { objectOf } from '../json-values.ts';

/** The part of a conversation that is sent when the provider keeps the beginning. */
export interface RestOfHistory {
  readonly request: Pick<ModelRequest, 'instructions' | 'messages'>;
  /** The provider's id of the reply that the request goes on from. Undefined: the request holds the whole conversation. */
  readonly previous: string | undefined;
}

/**
 * The messages that `model` lacks: everything after the last reply that it has marked (contract/sessions.md#history-of-the-provider). The
 * instructions are sent again only when they have changed since then.
 */
export function restOfHistory(request: ModelRequest, model: string): RestOfHistory {
  const at = request.messages.findLastIndex((message) => markIn(message)?.model === model);
  const mark = at < 0 ? undefined : markIn(request.messages[at]);
  if (mark === undefined) return { request, previous: undefined };
  const isSame = mark.instructions === digestOf(request.instructions);
  const messages = request.messages.slice(at + 1);
  return { request: { messages, instructions: isSame ? '' : request.instructions }, previous: mark.id };
}

/** The mark of a reply that the provider keeps under `id`. */
export function markOf(id: string, model: string, { instructions }: Pick<ModelRequest, 'instructions'>): HistoryMark {
  return { id, model, instructions: digestOf(instructions) };
}

/** The provider no longer has the conversation that a call goes on from. */
export class ForgottenHistory extends Error {
  override readonly name = 'ForgottenHistory';
}

/** Whether a call failed because the provider no longer has the reply that the call goes on from. */
export function isForgotten(error: unknown): boolean {
  const fields = objectOf(error);
  return fields?.['code'] === 'previous_response_not_found' || fields?.['param'] === 'previous_response_id';
}

function markIn(message: ModelRequest['messages'][number] | undefined): HistoryMark | undefined {
  return message?.role === 'assistant' ? message.mark : undefined;
}

/** A digest that tells instructions apart. The instructions are too long to be kept with every reply. */
function digestOf(instructions: string): string {
  return createHash('sha256').update(instructions).digest('base64url').slice(0, 22);
}
