import { ModelError, type ModelReply, type ReplySink } from '../../../core/ports/chat-model.ts';
import { cachedTokens } from '../cached-tokens.ts';
import { finishKind } from '../finish-kind.ts';
import { InterruptedReply } from '../interrupted-reply.ts';
import { countOf, listOf, objectOf, parsedJson, textOf } from '../json-values.ts';
import { isContentRefusal, labelled, statusFault, wordsOf } from '../status-fault.ts';
import { byteLength, type ReplyMeter } from '../reply-limits.ts';
import { ToolCallAssembler } from '../tool-call-assembler.ts';
import { EscapedText } from './escaped-text.ts';
import type { ScannedReply } from './reply-scanner.ts';

type Fields = Readonly<Record<string, unknown>>;

const endMark = '[DONE]';

/**
 * Puts one streamed chat completion together, and passes its text on as it arrives. Only texts of the common form arrive as `text`.
 * Everything else is read here from JSON.
 */
export class ReplyAssembler implements ScannedReply {
  readonly text = new EscapedText();
  readonly #sink: ReplySink;
  readonly #configuredModel: string;
  readonly #clean: (text: string) => string;
  readonly #meter: ReplyMeter;
  readonly #calls = new ToolCallAssembler();
  #model: string | undefined;
  #finish: string | undefined;
  #ended = false;
  #usage: Fields | undefined;

  /** `model` is the configured name. `clean` removes secrets from a provider's text. `meter` counts the bytes that are kept. */
  constructor(options: {
    readonly sink: ReplySink;
    readonly model: string;
    readonly clean: (text: string) => string;
    readonly meter: ReplyMeter;
  }) {
    this.#sink = options.sink;
    this.#configuredModel = options.model;
    this.#clean = options.clean;
    this.#meter = options.meter;
  }

  /** Whether the first token of a text or of a tool call has arrived. */
  get begun(): boolean {
    return this.text.begun || !this.#calls.isEmpty;
  }

  /** Whether the model has said that the reply is complete. Only usage may follow. */
  get complete(): boolean {
    return this.#ended || this.#finish !== undefined;
  }

  /** Whether the stream's own end mark was read. */
  get ended(): boolean {
    return this.#ended;
  }

  /** @throws ReplyTooLarge; then none of the new text is passed on. */
  textAdded(): void {
    this.#meter.keep(this.text.newBytes);
    const escaped = this.text.takeNew();
    if (escaped !== '') this.#sink.text(escaped);
  }

  /** @throws ModelError for broken JSON, an error object, a refusal and too many tool calls, and ReplyTooLarge. */
  data(json: string): string | undefined {
    if (json === endMark) {
      this.#ended = true;
      return undefined;
    }
    const chunk = objectOf(parsedJson(json));
    if (chunk === undefined) throw this.fault('the model sent a line that is not a JSON object');
    if (chunk['error'] !== undefined && chunk['error'] !== null) throw this.#errorFault(chunk['error']);
    this.#model ??= textOf(chunk['model']);
    const usage = objectOf(chunk['usage']);
    if (usage !== undefined) this.#usage = usage;
    const text = this.#choices(listOf(chunk['choices']));
    return usage === undefined ? text : undefined;
  }

  /** The whole reply. MUST be called only when `complete`. @throws ModelError when a content filter or a fault ended it. */
  reply(): ModelReply {
    const kind = finishKind(this.#finish);
    if (kind === 'content-filter') throw this.#refusal('the content filter ended the reply');
    if (kind === 'failed') throw this.fault(`the model gave up on its reply${labelled(this.#finish)}`);
    const cut = kind === 'length';
    // A call that ran into the length limit may be half a call, even when its arguments happen to be valid JSON.
    const toolCalls = cut ? [] : this.#calls.calls();
    return {
      text: this.text.unescaped(),
      toolCalls,
      usage: {
        inputTokens: countOf(this.#usage?.['prompt_tokens']) ?? 0,
        outputTokens: countOf(this.#usage?.['completion_tokens']) ?? 0,
        ...cachedTokens(countOf(objectOf(this.#usage?.['prompt_tokens_details'])?.['cached_tokens'])),
      },
      model: this.#model ?? this.#configuredModel,
      finish: cut ? 'length' : toolCalls.length > 0 ? 'tool-calls' : 'stop',
    };
  }

  /** A fault of the connection or of the format. Another attempt makes sense only before the first token. */
  fault(message: string, options: { readonly timeout?: boolean; readonly cause?: unknown } = {}): ModelError {
    const code = options.timeout === true ? 'model_timeout' : 'model_unavailable';
    if (this.begun) return new InterruptedReply(code, message, { cause: options.cause });
    return new ModelError(code, message, { transient: code === 'model_unavailable', cause: options.cause });
  }

  /** Returns the text when there is one plain text delta and nothing else. */
  #choices(choices: readonly unknown[]): string | undefined {
    const choice = objectOf(choices[0]);
    if (choice === undefined) return undefined;
    const delta = objectOf(choice['delta']) ?? {};
    const text = contentText(delta['content']);
    if (text !== '') {
      this.text.addString(JSON.stringify(text).slice(1, -1));
      this.textAdded();
    }
    if (textOf(delta['refusal']) !== undefined) throw this.#refusal('the model refused to answer');
    const calls = listOf(delta['tool_calls']);
    for (const call of calls) this.#addCall(objectOf(call) ?? {});
    const finish = textOf(choice['finish_reason']);
    this.#finish ??= finish;
    return choices.length === 1 && calls.length === 0 && finish === undefined ? textOf(delta['content']) : undefined;
  }

  #addCall(call: Fields): void {
    const declared = objectOf(call['function']) ?? {};
    const written = declared['arguments'];
    const fragment = {
      index: countOf(call['index']),
      id: textOf(call['id']),
      name: textOf(declared['name']),
      arguments: objectOf(written) === undefined ? textOf(written) : JSON.stringify(written),
    };
    this.#meter.keep(byteLength(fragment.id) + byteLength(fragment.name) + byteLength(fragment.arguments));
    this.#calls.add(fragment);
  }

  /** The fault of a reply that broke one of its limits. Another attempt would most likely do so, too. */
  tooLarge(message: string): ModelError {
    if (this.begun) return new InterruptedReply('model_unavailable', message);
    return new ModelError('model_unavailable', message, { transient: false });
  }

  #refusal(message: string, words?: string): ModelError {
    if (this.begun) return new InterruptedReply('model_refused', message, { words });
    return new ModelError('model_refused', message, { transient: false, words });
  }

  #errorFault(error: unknown): ModelError {
    const fields = objectOf(error) ?? { message: error };
    const [type, code] = [textOf(fields['type']), textOf(fields['code'])].map((name) => name && this.#clean(name));
    const reason = code ?? type;
    const detail = this.#clean(textOf(fields['message']) ?? '');
    if (isContentRefusal(reason)) return this.#refusal(`the model sent an error${labelled(reason)}`, wordsOf(detail));
    const status = countOf(fields['code']) ?? 500;
    const fault = statusFault({ status, detail, reason, type });
    return this.begun ? new InterruptedReply(fault.code, fault.message, { words: fault.words }) : fault;
  }
}

/** A text, or the text parts of a list. Servers that stream their thinking beside the text send lists. */
function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .map((part) => objectOf(part))
    .map((part) => (part?.['type'] === 'text' ? (textOf(part['text']) ?? '') : ''))
    .join('');
}
