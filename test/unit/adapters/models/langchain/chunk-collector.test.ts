import { describe, expect, it } from 'vitest';
import { ChunkCollector } from '../../../../../src/adapters/models/langchain/chunk-collector.ts';
import { ReplyMemory, ReplyMeter } from '../../../../../src/adapters/models/reply-limits.ts';

/** The tokens that a reply reports when its chunks have these usages. */
function usageOf(...usages: readonly object[]): object {
  const meter = new ReplyMeter({ memory: new ReplyMemory(), maxReplyBytes: 1000 });
  const collector = new ChunkCollector({
    sink: { text: () => undefined },
    habit: { unopened: false },
    model: 'm',
    meter,
  });
  for (const usage of usages) collector.add({ content: 'word ', usage_metadata: usage });
  const { usage } = collector.reply();
  meter.release();
  return usage;
}

describe('the tokens of a reply over LangChain (contract/models.md)', () => {
  it('name those that the provider has read from its cache, all at once or piece by piece', () => {
    const last = { input_tokens: 900, output_tokens: 20, input_token_details: { cache_read: 700 } };
    expect(usageOf({}, last)).toEqual({ inputTokens: 900, outputTokens: 20, cachedInputTokens: 700 });
    expect(usageOf(last, { output_tokens: 5, input_token_details: { cache_read: 0 } })).toEqual({
      inputTokens: 900,
      outputTokens: 25,
      cachedInputTokens: 700,
    });
  });

  it('name none where the provider does not say', () => {
    expect(usageOf({ input_tokens: 900, output_tokens: 20 })).toEqual({ inputTokens: 900, outputTokens: 20 });
  });
});
