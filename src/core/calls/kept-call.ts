import type { JournalRow } from '../ports/confirmation-journal.ts';
import { callContext } from './call-context.ts';
import type { CheckedCall, KeptContext } from './tool-call.ts';

/** How many times a call that a crash interrupted is made again: as many times as a failed request is sent again. */
const mostRetries = 2;

/** What is stored of a call that may be made again after a crash, so that the second request is the same as the first (wire-5-24). */
export interface KeptCall {
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly context: KeptContext;
}

/** What the journal keeps of a call that begins: enough to make it again, when its tool allows that. */
export function keptCallOf(ready: CheckedCall, argumentsValue: KeptCall['arguments']): { readonly call?: string } {
  if (ready.tool.repeatable !== true) return {};
  const { user, callId, channel, page } = callContext(ready);
  const { id: turnId, conversationId } = ready.scope.turn;
  const kept: KeptCall = {
    arguments: argumentsValue,
    context: { user, callId, turnId, conversationId, channel, page },
  };
  return { call: JSON.stringify(kept) };
}

/**
 * The call to make again for a row that a crash left behind. Undefined when the call may not be made again, or was made
 * again often enough.
 */
export function interruptedCall({ state, call, retries }: JournalRow): KeptCall | undefined {
  if (state !== 'executing' || call === null || retries >= mostRetries) return undefined;
  return JSON.parse(call) as KeptCall; // written by `keptCallOf`
}
