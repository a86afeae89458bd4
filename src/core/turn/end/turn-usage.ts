import type { RecordedReply } from '../../agents/recorded-reply.ts';
import type { TokenUsage } from '../../events/turn-event.ts';
import type { StepRecord } from '../../record/step-record.ts';

/** The tokens that all model calls of a turn used, by its record. Each reply counts once, whichever process read it. */
export function usageOf(record: StepRecord, configuredModel: string): TokenUsage {
  let [inputTokens, outputTokens, model] = [0, 0, configuredModel];
  for (const [key, value] of record.entries()) {
    if (!key.endsWith('/model')) continue;
    const reply = value as RecordedReply; // recorded by `askModel`
    inputTokens += reply.usage.inputTokens;
    outputTokens += reply.usage.outputTokens;
    model = reply.model;
  }
  return { inputTokens, outputTokens, model };
}
