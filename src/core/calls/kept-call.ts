import type { JournalRow } from '../ports/confirmation-journal.ts';
import { callContext } from './call-context.ts';
import type { CheckedCall, KeptContext } from './tool-call.ts';

/** How often a call that a crash interrupted is made again. It is as often as a request that failed is sent again. */
const mostRetries = 2;

/** What is stored of a call that may be made again after a crash, so that the second request is the same as the first (wire-5-24). */
export interface KeptCall {
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly context: KeptContext;
}

/** What the journal keeps of a call that begins: enough to make it again, when its tool allows that. */
export function keptCallOf(ready: CheckedCall, argumentsValue: KeptCall['arguments']): { readonly call?: string } {
  if (ready.tool.repeatable !== true) return {};
  const { user, callId, turnId, conversationId, channel, page } = callContext(ready);
  const kept: KeptCall = {
    arguments: argumentsValue,
    context: { user, callId, turnId, conversationId, channel, page },
  };
  return { call: JSON.stringify(kept) };
}

/** The call to make again of a row that a crash left behind; undefined when it may not be, or was often enough. */
export function interruptedCall({ state, call, retries }: JournalRow): KeptCall | undefined {
  if (state !== 'executing' || call === null || retries >= mostRetries) return undefined;
  return JSON.parse(call) as KeptCall; // written by `keptCallOf`
}
