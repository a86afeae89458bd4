import type { Influence } from '../events/turn-event.ts';
import type { ChatMessage } from '../ports/chat-model.ts';
import { influencedMember } from '../provenance/influences.ts';
import type { StepRecord } from '../record/step-record.ts';

/** The key of the text that has taken the place of all that was said up to a round. */
export function replacedKey(at: string): string {
  return `${at}/replaced`;
}

/** What stands in the place of the reply up to a round, in the words of the server; undefined where the reply stands. */
export function replacementAt(record: Pick<StepRecord, 'get'>, at: string): string | undefined {
  return record.get(replacedKey(at)) as string | undefined; // recorded by `HonestReply`
}

/**
 * The replacement as the history has it; none for an empty one, behind which the reply goes on. It names actions, which a page may have
 * named: so it counts as influenced by what the reply was.
 */
export function replacementMessages(text: string, influencedBy: readonly Influence[] = []): readonly ChatMessage[] {
  if (text === '') return [];
  return [{ role: 'assistant', text, toolCalls: [], origin: 'operator', ...influencedMember(influencedBy) }];
}
