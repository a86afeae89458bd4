import type { ChatMessage } from '../ports/chat-model.ts';
import type { StepRecord } from '../record/step-record.ts';

/** The key of the text that has taken the place of all that was said up to a round. */
export function replacedKey(at: string): string {
  return `${at}/replaced`;
}

/** What stands in the place of the reply up to a round, in the words of the server; undefined where the reply stands. */
export function replacementAt(record: Pick<StepRecord, 'get'>, at: string): string | undefined {
  return record.get(replacedKey(at)) as string | undefined; // recorded by `HonestReply`
}

/** The replacement as the history has it; none for an empty one, behind which the reply goes on. */
export function replacementMessages(text: string): readonly ChatMessage[] {
  return text === '' ? [] : [{ role: 'assistant', text, toolCalls: [], origin: 'operator' }];
}
