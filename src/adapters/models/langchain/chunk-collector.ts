import { ModelError, type ModelReply, type ReplySink } from '../../../core/ports/chat-model.ts';
import { cachedTokens } from '../cached-tokens.ts';
import { finishKind } from '../finish-kind.ts';
import { InterruptedReply } from '../interrupted-reply.ts';
import { countOf, listOf, objectOf, textOf } from '../json-values.ts';
import { byteLength, type ReplyMeter } from '../reply-limits.ts';
import { ToolCallAssembler } from '../tool-call-assembler.ts';
import type { HostedCollector } from './hosted-collector.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Puts a reply together from the chunks of a LangChain stream, and pushes its text. The fields are read by hand: LangChain's own joining of
 * chunks would cost more than all other work of a turn.
 */
export class ChunkCollector {
  readonly #sink: ReplySink;
  readonly #configuredModel: string;
  readonly #texts: string[] = [];
  readonly #calls = new ToolCallAssembler();
  #inputTokens = 0;
  #outputTokens = 0;
  #cachedInputTokens: number | undefined;
  #model: string | undefined;
  #reason: string | undefined;
  #refused = false;
  #id: string | undefined;
  readonly #meter: ReplyMeter;
  readonly #hosted: HostedCollector | undefined;

  /**
   * `model` is the configured name. `meter` counts the bytes that the reply holds. `hosted` is left out when the provider has no tools of
   * its own.
   */
  constructor(options: {
    readonly sink: ReplySink;
    readonly model: string;
    readonly meter: ReplyMeter;
    readonly hosted?: HostedCollector | undefined;
  }) {
    this.#meter = options.meter;
    this.#hosted = options.hosted;
    this.#sink = options.sink;
    this.#configuredModel = options.model;
  }

  /** Whether the first token of a text or of a tool call has arrived, or the provider has begun a call of its own. */
  get begun(): boolean {
    return this.#texts.length > 0 || !this.#calls.isEmpty || this.#hosted?.begun === true;
  }

  /** Whether the provider has named why the reply ended. */
  get complete(): boolean {
    return this.#reason !== undefined;
  }

  /** The provider's id of the reply. Only with the Responses API a request can go on from it. */
  get id(): string | undefined {
    return this.#id;
  }

  /** @throws ReplyTooLarge, and InterruptedReply when the reply has too many calls. */
  add(value: unknown): void {
    const chunk = objectOf(value) ?? {};
    this.#hosted?.add(chunk);
    this.#addText(chunk['content']);
    this.#addCalls(chunk);
    this.#addUsage(objectOf(chunk['usage_metadata']));
    const metadata = objectOf(chunk['response_metadata']) ?? {};
    // The name is taken from the first chunk that has it. LangChain's own joining repeats the name ("gpt-5gpt-5").
    this.#model ??= textOf(metadata['model_name']) ?? textOf(metadata['model']);
    this.#id ??= textOf(metadata['id']);
    this.#reason ??= reasonOf(metadata);
    const further = objectOf(chunk['additional_kwargs']);
    if (textOf(further?.['refusal']) !== undefined) this.#refused = true;
    this.#meter.keep(byteLength(textOf(further?.['reasoning_content'])));
  }

  /** @throws ModelError when the provider's content filter or a fault ended the reply. */
  reply(): ModelReply {
    const kind = finishKind(this.#reason);
    if (this.#refused || kind === 'content-filter') throw this.#refusal();
    if (kind === 'failed') {
      const message = `the model gave up on its reply (${this.#reason ?? ''})`;
      throw new ModelError('model_unavailable', message, { transient: true });
    }
    // A call that ran into the length limit may be half a call, even when its arguments happen to be valid JSON.
    const toolCalls = kind === 'length' ? [] : [...this.#calls.calls(), ...(this.#hosted?.approvals ?? [])];
    const { items, ...hosted } = this.#hosted?.reply() ?? {};
    return {
      text: this.#texts.join(''),
      toolCalls,
      usage: {
        inputTokens: this.#inputTokens,
        outputTokens: this.#outputTokens,
        ...cachedTokens(this.#cachedInputTokens),
      },
      model: this.#model ?? this.#configuredModel,
      finish: kind === 'stop' && toolCalls.length > 0 ? 'tool-calls' : kind,
      ...hosted,
      ...(items === undefined || toolCalls.length === 0 ? {} : { items }),
    };
  }

  #addText(content: unknown): void {
    const text =
      typeof content === 'string'
        ? content
        : listOf(content)
            .map((block) => this.#blockText(block))
            .join('');
    if (text === '') return;
    const escaped = JSON.stringify(text).slice(1, -1);
    this.#meter.keep(byteLength(escaped));
    this.#texts.push(text);
    this.#sink.text(escaped);
  }

  #addCalls(chunk: Fields): void {
    const pieces = listOf(chunk['tool_call_chunks']);
    // A model that cannot stream hands over one whole message, which has calls but no pieces of calls.
    const calls = pieces.length > 0 ? pieces : [...listOf(chunk['tool_calls']), ...listOf(chunk['invalid_tool_calls'])];
    for (const entry of calls) {
      const call = objectOf(entry) ?? {};
      const written = call['args'];
      const fragment = {
        index: countOf(call['index']),
        id: textOf(call['id']),
        name: textOf(call['name']),
        arguments: objectOf(written) === undefined ? textOf(written) : JSON.stringify(written),
      };
      this.#meter.keep(byteLength(fragment.id) + byteLength(fragment.name) + byteLength(fragment.arguments));
      this.#calls.add(fragment);
    }
  }

  /** LangChain keeps blocks of other kinds, such as a model's thinking, until the reply ends. So they count towards the limits, too. */
  #blockText(block: unknown): string {
    const fields = objectOf(block);
    if (fields?.['type'] === 'text') return textOf(fields['text']) ?? '';
    this.#meter.keep(byteLength(JSON.stringify(block)));
    return '';
  }

  /** Some providers report all usage at the end, others report increments. The sum is right in both cases. */
  #addUsage(usage: Fields | undefined): void {
    this.#inputTokens += countOf(usage?.['input_tokens']) ?? 0;
    this.#outputTokens += countOf(usage?.['output_tokens']) ?? 0;
    const cached = countOf(objectOf(usage?.['input_token_details'])?.['cache_read']);
    if (cached !== undefined) this.#cachedInputTokens = (this.#cachedInputTokens ?? 0) + cached;
  }

  #refusal(): ModelError {
    const message = 'the model refused to answer';
    if (this.begun) return new InterruptedReply('model_refused', message);
    return new ModelError('model_refused', message, { transient: false });
  }
}

/** The reason for the end of a reply, under the name that each provider uses. For the Responses API this is the status. */
function reasonOf(metadata: Fields): string | undefined {
  const named = ['finish_reason', 'stop_reason', 'finishReason', 'done_reason'].map((name) => textOf(metadata[name]));
  const reason = named.find((text) => text !== undefined);
  if (reason !== undefined) return reason;
  return textOf(objectOf(metadata['incomplete_details'])?.['reason']) ?? textOf(metadata['status']);
}
