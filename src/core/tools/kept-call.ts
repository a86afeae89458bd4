import type { JournalRow } from '../ports/confirmation-journal.ts';
import type { ToolContext } from './tool.ts';

/** How often a call that a crash interrupted is made again: as often as a request that failed (extending.md 2). */
const mostRetries = 2;

/** What a tool knows of its call but for what lives in the process. */
export type KeptContext = Pick<ToolContext, 'user' | 'callId' | 'turnId' | 'conversationId' | 'channel' | 'page'>;

/** What a call is made of that may be made twice under one id: the same request, whoever makes it (wire.md 5). */
export interface KeptCall {
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly context: KeptContext;
}

/** For the journal. */
export function keptCall(argumentsValue: KeptCall['arguments'], context: KeptContext): string {
  const { user, callId, turnId, conversationId, channel, page } = context;
  const kept: KeptCall = {
    arguments: argumentsValue,
    context: { user, callId, turnId, conversationId, channel, page },
  };
  return JSON.stringify(kept);
}

/** The call to make again of a row that a crash left behind; undefined when it may not be, or was often enough. */
export function interruptedCall({ state, call, retries }: JournalRow): KeptCall | undefined {
  if (state !== 'executing' || call === null || retries >= mostRetries) return undefined;
  return JSON.parse(call) as KeptCall; // written by `keptCall`
}
