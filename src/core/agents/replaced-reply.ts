import type { Influence } from '../events/turn-event.ts';
import type { ChatMessage } from '../ports/chat-model.ts';
import { influencedMember } from '../provenance/influences.ts';
import type { StepRecord } from '../record/step-record.ts';

/** The key of the text that replaces everything that was said up to a round. */
export function replacedKey(at: string): string {
  return `${at}/replaced`;
}

/** The text of the server that replaces the reply up to a round; undefined where the reply stands. */
export function replacementAt(record: Pick<StepRecord, 'get'>, at: string): string | undefined {
  return record.get(replacedKey(at)) as string | undefined; // recorded by `HonestReply`
}

/**
 * The replacement as the history has it. An empty replacement adds no message, because the reply continues after it. A replacement names
 * actions, and a page may have chosen their names. It therefore has the same influences as the reply.
 */
export function replacementMessages(text: string, influencedBy: readonly Influence[] = []): readonly ChatMessage[] {
  if (text === '') return [];
  return [{ role: 'assistant', text, toolCalls: [], origin: 'operator', ...influencedMember(influencedBy) }];
}
