import type { ModelReply } from '../../../core/ports/chat-model.ts';
import { cachedTokens } from '../cached-tokens.ts';
import { countOf, listOf, objectOf, parsedJson, textOf } from '../json-values.ts';
import { byteLength, type ReplyMeter } from '../reply-limits.ts';

type Fields = Readonly<Record<string, unknown>>;
type Usage = ModelReply['usage'];

/** Names with which the lines begin that say more than the package of the provider hands on. */
const telling = [
  '"response.output_item.added"',
  '"response.output_item.done"',
  '"message_start"',
  '"message_delta"',
  '"usageMetadata"',
  '"finishReason"',
  '"blockReason"',
] as const;

/** The most messages of a provider that one call may read. */
const maxMessages = 100;

/**
 * Reads in the bytes of a reply what LangChain's packages leave out: calls of the provider that begin, arguments that come whole, the tokens
 * that are paid for, and reasons for the end of a reply without content. The caller bounds the length of lines.
 */
export class RawEvents {
  readonly #meter: ReplyMeter;
  readonly #began: (item: Fields) => void;
  readonly #decoder = new TextDecoder();
  readonly #usages = new Map<string, Fields>();
  readonly #arguments = new Map<string, string>();
  /** Characters of the text before each further message of a reply. */
  readonly #breaks = new Set<number>();
  #length = 0;
  #line = '';
  #message = '';
  #reason: string | undefined;

  /** `began` is told of each item of the Responses API that begins. */
  constructor(meter: ReplyMeter, began: (item: Fields) => void = () => undefined) {
    this.#meter = meter;
    this.#began = began;
  }

  /** @throws ReplyTooLarge. */
  add(bytes: Uint8Array): void {
    const lines = (this.#line + this.#decoder.decode(bytes, { stream: true })).split('\n');
    this.#line = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('data:') || !telling.some((name) => line.includes(name))) continue;
      const event = objectOf(parsedJson(line.slice('data:'.length)));
      if (event !== undefined) this.#read(event);
    }
  }

  /** What the reply has taken, as its provider bills it. Undefined where the bytes do not tell it. */
  get usage(): Usage | undefined {
    const usages = [...this.#usages.values()].map((usage) => claudeUsage(usage) ?? geminiUsage(usage));
    const known = usages.filter((usage) => usage !== undefined);
    if (known.length === 0) return undefined;
    const sum = (name: keyof Usage): number => known.reduce((tokens, usage) => tokens + (usage[name] ?? 0), 0);
    const isCached = known.some(({ cachedInputTokens }) => cachedInputTokens !== undefined);
    return {
      inputTokens: sum('inputTokens'),
      outputTokens: sum('outputTokens'),
      ...cachedTokens(isCached ? sum('cachedInputTokens') : undefined),
    };
  }

  /** The provider's word for the end of a reply, which its package keeps to itself where nothing was said. */
  get reason(): string | undefined {
    return this.#reason;
  }

  /** The arguments of a call that came whole. Undefined where they came in pieces only. */
  argumentsOf(callId: string): string | undefined {
    return this.#arguments.get(callId);
  }

  /** Whether another message begins behind so many characters of the text. */
  isBreak(length: number): boolean {
    return this.#breaks.has(length);
  }

  #read(event: Fields): void {
    switch (event['type']) {
      case 'response.output_item.added':
        this.#itemBegan(objectOf(event['item']) ?? {});
        return;
      case 'response.output_item.done':
        this.#itemEnded(objectOf(event['item']) ?? {});
        return;
      case 'message_start': {
        const message = objectOf(event['message']);
        this.#message = textOf(message?.['id']) ?? '';
        this.#addUsage(this.#message, objectOf(message?.['usage']));
        return;
      }
      case 'message_delta':
        this.#addUsage(this.#message, objectOf(event['usage']));
        return;
      case undefined:
        this.#readGemini(event);
    }
  }

  #itemBegan(item: Fields): void {
    if (item['type'] === 'message' && this.#length > 0) this.#breaks.add(this.#length);
    this.#began(item);
  }

  #itemEnded(item: Fields): void {
    const [id, written] = [textOf(item['call_id']), textOf(item['arguments'])];
    if (item['type'] === 'message') {
      for (const part of listOf(item['content'])) this.#length += textOf(objectOf(part)?.['text'])?.length ?? 0;
    } else if (item['type'] === 'function_call' && id !== undefined && written !== undefined) {
      this.#meter.keepBeside(byteLength(id) + byteLength(written));
      this.#arguments.set(id, written);
    }
  }

  #readGemini(event: Fields): void {
    this.#addUsage(textOf(event['responseId']) ?? '', objectOf(event['usageMetadata']));
    const [candidate] = listOf(event['candidates']);
    const blocked = textOf(objectOf(event['promptFeedback'])?.['blockReason']);
    if (blocked !== undefined && blocked !== 'BLOCK_REASON_UNSPECIFIED') this.#reason = 'blocklist';
    else this.#reason = textOf(objectOf(candidate)?.['finishReason']) ?? this.#reason;
  }

  /** Providers repeat their counts, and each later count stands in the place of the one before. */
  #addUsage(message: string, usage: Fields | undefined): void {
    if (usage === undefined || (this.#usages.size === maxMessages && !this.#usages.has(message))) return;
    const counts = Object.entries(usage).filter(([, count]) => typeof count === 'number');
    this.#usages.set(message, { ...this.#usages.get(message), ...Object.fromEntries(counts) });
  }
}

/** The counts of Claude. Tokens that are written to the cache or read from it are counted beside its input. */
function claudeUsage(usage: Fields): Usage | undefined {
  const [input, output] = [countOf(usage['input_tokens']), countOf(usage['output_tokens'])];
  if (input === undefined || output === undefined) return undefined;
  const read = countOf(usage['cache_read_input_tokens']);
  const written = countOf(usage['cache_creation_input_tokens']) ?? 0;
  return { inputTokens: input + written + (read ?? 0), outputTokens: output, ...cachedTokens(read) };
}

/** The counts of Gemini. Its thoughts are counted beside its output, and are paid for as well. */
function geminiUsage(usage: Fields): Usage | undefined {
  const input = countOf(usage['promptTokenCount']);
  if (input === undefined) return undefined;
  const output = (countOf(usage['candidatesTokenCount']) ?? 0) + (countOf(usage['thoughtsTokenCount']) ?? 0);
  return { inputTokens: input, outputTokens: output, ...cachedTokens(countOf(usage['cachedContentTokenCount'])) };
}
