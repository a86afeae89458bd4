import { describe, expect, it } from 'vitest';
import { RawEvents } from '../../../../../src/adapters/models/langchain/raw-events.ts';
import { ReplyMemory, ReplyMeter, ReplyTooLarge } from '../../../../../src/adapters/models/reply-limits.ts';

function lines(...events: readonly object[]): string {
  return events.map((event) => `event: any\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

/** Reads the text in pieces of this many bytes. */
function read(text: string, size = 7, memory = new ReplyMemory()): RawEvents {
  const raw = new RawEvents(new ReplyMeter({ memory, maxReplyBytes: 1_000_000 }));
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) raw.add(bytes.subarray(at, at + size));
  return raw;
}

const start = (usage: object, id = 'msg_1'): object => ({ type: 'message_start', message: { id, usage } });
const delta = (usage: object): object => ({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage });

describe('the tokens in the bytes of a reply (contract/models.md)', () => {
  // proves service-3-51
  it.each([1, 7, 10_000])(
    "are Claude's last counts, with its cache and what its own tools have read (%i bytes)",
    (size) => {
      const stream = lines(
        start({ input_tokens: 20, cache_creation_input_tokens: 5, cache_read_input_tokens: 100, output_tokens: 8 }),
        { type: 'content_block_delta', delta: { type: 'text_delta', text: 'the "message_delta" of 漢字' } },
        delta({ input_tokens: 2_000, output_tokens: 60 }),
      );
      expect(read(stream, size).usage).toEqual({ inputTokens: 2_105, outputTokens: 60, cachedInputTokens: 100 });
    },
  );

  // proves service-3-51
  it('are those of the beginning where the end names no input', () => {
    expect(read(lines(start({ input_tokens: 20, output_tokens: 1 }), delta({ output_tokens: 60 }))).usage).toEqual({
      inputTokens: 20,
      outputTokens: 60,
    });
  });

  // proves service-3-51
  it('are added up over several messages, and counted once for one that is announced twice', () => {
    const first = [start({ input_tokens: 20, output_tokens: 1 }), delta({ output_tokens: 60 })];
    const second = [start({ input_tokens: 3, output_tokens: 1 }, 'msg_2'), delta({ output_tokens: 4 })];
    expect(read(lines(...first, ...second)).usage).toEqual({ inputTokens: 23, outputTokens: 64 });
    expect(read(lines(...first, ...first)).usage).toEqual({ inputTokens: 20, outputTokens: 60 });
  });

  // proves service-3-51
  it("are Gemini's with its thoughts, whose counts grow", () => {
    const counts = { promptTokenCount: 29, cachedContentTokenCount: 4, totalTokenCount: 1 };
    const of = (usage: object): object => ({ responseId: 'r', usageMetadata: { ...counts, ...usage } });
    const stream = lines(of({ thoughtsTokenCount: 400 }), of({ candidatesTokenCount: 15, thoughtsTokenCount: 804 }));
    expect(read(stream).usage).toEqual({ inputTokens: 29, outputTokens: 819, cachedInputTokens: 4 });
  });

  it('are unknown where the bytes have none, or something else', () => {
    expect(read(lines({ type: 'ping' }, start({}), { usageMetadata: { trafficType: 'x' } })).usage).toBeUndefined();
    expect(read('data: {"usageMetadata": broken\n\n').usage).toBeUndefined();
  });
});

describe('arguments in the bytes of a reply (contract/models.md)', () => {
  const done = (text: string): string =>
    lines({ type: 'response.output_item.done', item: { type: 'function_call', call_id: 'c', arguments: text } });

  // proves service-3-52
  it('are known by their call', () => {
    const raw = read(done('{"id":"漢"}'));
    expect([raw.argumentsOf('c'), raw.argumentsOf('d')]).toEqual(['{"id":"漢"}', undefined]);
  });

  it('take memory', () => {
    expect(() => read(done('x'.repeat(10_000)), 100, new ReplyMemory(5_000))).toThrow(ReplyTooLarge);
  });
});
