import { ModelError, type ModelReply, type ReplySink } from '../../../core/ports/chat-model.ts';
import { finishKind } from '../finish-kind.ts';
import { InterruptedReply } from '../interrupted-reply.ts';
import { countOf, listOf, objectOf, textOf } from '../json-values.ts';
import { ToolCallAssembler } from '../tool-call-assembler.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Characters of text and arguments of one reply, as many as the wire model takes bytes. */
const maxReplyLength = 64 * 1024 * 1024;

/**
 * Puts a reply together from the chunks of a LangChain stream and pushes its text. Reads by hand what is needed: joining
 * the chunk objects themselves would cost more than all the rest of a turn.
 */
export class ChunkCollector {
  readonly #sink: ReplySink;
  readonly #configuredModel: string;
  readonly #texts: string[] = [];
  readonly #calls = new ToolCallAssembler();
  #inputTokens = 0;
  #outputTokens = 0;
  #model: string | undefined;
  #reason: string | undefined;
  #refused = false;
  #length = 0;

  /** `model` is the configured name. */
  constructor(options: { readonly sink: ReplySink; readonly model: string }) {
    this.#sink = options.sink;
    this.#configuredModel = options.model;
  }

  /** Whether the first token, of a text or of a tool call, is here. */
  get begun(): boolean {
    return this.#texts.length > 0 || !this.#calls.isEmpty;
  }

  /** Whether the provider has named why the reply ended. */
  get complete(): boolean {
    return this.#reason !== undefined;
  }

  /** @throws InterruptedReply when the reply is too long or has too many calls. */
  add(value: unknown): void {
    const chunk = objectOf(value) ?? {};
    this.#addText(chunk['content']);
    this.#addCalls(chunk);
    this.#addUsage(objectOf(chunk['usage_metadata']));
    const metadata = objectOf(chunk['response_metadata']) ?? {};
    // From the first chunk that has one: LangChain's own joining repeats it ("gpt-5gpt-5").
    this.#model ??= textOf(metadata['model_name']) ?? textOf(metadata['model']);
    this.#reason ??= reasonOf(metadata);
    if (textOf(objectOf(chunk['additional_kwargs'])?.['refusal']) !== undefined) this.#refused = true;
  }

  /** @throws ModelError when the provider's content filter or a fault ended the reply. */
  reply(): ModelReply {
    const kind = finishKind(this.#reason);
    if (this.#refused || kind === 'content-filter') throw this.#refusal();
    if (kind === 'failed') {
      const message = `the model gave up on its reply (${this.#reason ?? ''})`;
      throw new ModelError('model_unavailable', message, { transient: true });
    }
    // A call that ran into the length limit may be half a call, even when what is there happens to be valid JSON.
    const toolCalls = kind === 'length' ? [] : this.#calls.calls();
    return {
      text: this.#texts.join(''),
      toolCalls,
      usage: { inputTokens: this.#inputTokens, outputTokens: this.#outputTokens },
      model: this.#model ?? this.#configuredModel,
      finish: kind === 'stop' && toolCalls.length > 0 ? 'tool-calls' : kind,
    };
  }

  #addText(content: unknown): void {
    const text = typeof content === 'string' ? content : listOf(content).map(blockText).join('');
    if (text === '') return;
    this.#count(text);
    this.#texts.push(text);
    this.#sink.text(JSON.stringify(text).slice(1, -1));
  }

  #addCalls(chunk: Fields): void {
    const pieces = listOf(chunk['tool_call_chunks']);
    // A model that cannot stream hands over one whole message, which has calls but no pieces of calls.
    const calls = pieces.length > 0 ? pieces : [...listOf(chunk['tool_calls']), ...listOf(chunk['invalid_tool_calls'])];
    for (const entry of calls) {
      const call = objectOf(entry) ?? {};
      const written = call['args'];
      const text = objectOf(written) === undefined ? textOf(written) : JSON.stringify(written);
      this.#count(text ?? '');
      this.#calls.add({
        index: countOf(call['index']),
        id: textOf(call['id']),
        name: textOf(call['name']),
        arguments: text,
      });
    }
  }

  #count(text: string): void {
    this.#length += text.length;
    if (this.#length > maxReplyLength) throw new InterruptedReply('model_unavailable', 'the reply is too long');
  }

  /** Providers report either all at the end or increments: both add up. */
  #addUsage(usage: Fields | undefined): void {
    this.#inputTokens += countOf(usage?.['input_tokens']) ?? 0;
    this.#outputTokens += countOf(usage?.['output_tokens']) ?? 0;
  }

  #refusal(): ModelError {
    const message = 'the model refused to answer';
    if (this.begun) return new InterruptedReply('model_refused', message);
    return new ModelError('model_refused', message, { transient: false });
  }
}

function blockText(block: unknown): string {
  const fields = objectOf(block);
  return fields?.['type'] === 'text' ? (textOf(fields['text']) ?? '') : '';
}

/** Why a reply ended, under the name each provider has for it; for the Responses API its status. */
function reasonOf(metadata: Fields): string | undefined {
  const named = ['finish_reason', 'stop_reason', 'finishReason', 'done_reason'].map((name) => textOf(metadata[name]));
  const reason = named.find((text) => text !== undefined);
  if (reason !== undefined) return reason;
  return textOf(objectOf(metadata['incomplete_details'])?.['reason']) ?? textOf(metadata['status']);
}
