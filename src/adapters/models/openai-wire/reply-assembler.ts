import { ModelError, type ModelReply, type ReplySink } from '../../../core/ports/chat-model.ts';
import { cachedTokens } from '../cached-tokens.ts';
import { finishKind } from '../finish-kind.ts';
import { InterruptedReply } from '../interrupted-reply.ts';
import { argumentsText, countOf, listOf, objectOf, parsedJson, textOf } from '../json-values.ts';
import { checkSaid } from '../no-reply.ts';
import type { ReadExtras } from '../own-extras.ts';
import { retryDelayIn } from '../refused-body.ts';
import { isContentRefusal, labelled, statusFault, wordsOf } from '../status-fault.ts';
import { byteLength, type ReplyMeter } from '../reply-limits.ts';
import { SpokenText, type ThoughtHabit } from '../spoken-text.ts';
import { thoughtsIn, ToldThought } from '../told-thought.ts';
import { ToolCallAssembler } from '../tool-call-assembler.ts';
import { interrupted, ModelSlip } from '../with-slips.ts';
import { EscapedText } from './escaped-text.ts';
import { ReplyExtras, thoughtMembers } from './reply-extras.ts';
import type { ScannedReply } from './reply-scanner.ts';

type Fields = Readonly<Record<string, unknown>>;

const endMark = '[DONE]';

/**
 * Puts one streamed chat completion together, and passes its text on as it arrives. Only texts of the common form arrive as `text`.
 * Everything else is read here from JSON.
 */
export class ReplyAssembler implements ScannedReply {
  readonly text = new EscapedText();
  readonly #spoken: SpokenText;
  /** Undefined where no thought is shown. */
  readonly #thought: ToldThought | undefined;
  readonly #configuredModel: string;
  readonly #clean: (text: string) => string;
  readonly #meter: ReplyMeter;
  readonly #calls = new ToolCallAssembler();
  #model: string | undefined;
  #finish: string | undefined;
  #ended = false;
  /** Whether the reply is one document instead of a stream. */
  #isDocument = false;
  #usage: Fields | undefined;
  /** Undefined until the provider writes something beside the text and the calls. */
  #extras: ReplyExtras | undefined;

  /** `model` is the configured name. `clean` removes secrets from a provider's text. `meter` counts the bytes that are kept. */
  constructor(options: {
    readonly sink: ReplySink;
    readonly habit: ThoughtHabit;
    readonly model: string;
    readonly clean: (text: string) => string;
    readonly meter: ReplyMeter;
    readonly showsThoughts: boolean;
  }) {
    const thought = ToldThought.for(options.sink, options.showsThoughts);
    this.#thought = thought;
    this.#spoken = new SpokenText(thought?.sink ?? options.sink, {
      habit: options.habit,
      soFar: () => this.text.unescaped(),
      thought: thought && ((text) => thought.add(text)),
    });
    this.#configuredModel = options.model;
    this.#clean = options.clean;
    this.#meter = options.meter;
  }

  /** Whether the first token of an answer or of a tool call has arrived. */
  get begun(): boolean {
    return this.#spoken.begun || !this.#calls.isEmpty;
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
    this.text.keepNew();
  }

  /**
   * Passes on the text that has arrived since the last call. A read of the socket brings many pieces, so this MUST be called once behind
   * them. Whatever else happens to the reply passes its text on first.
   */
  passOn(): void {
    const escaped = this.text.takeNew();
    if (escaped !== '') this.#spoken.add(escaped);
  }

  /** @throws ModelError for broken JSON, an error object, a refusal and too many tool calls, and ReplyTooLarge. */
  data(json: string): string | undefined {
    this.passOn();
    if (json === endMark) {
      this.#ended = true;
      return undefined;
    }
    const chunk = objectOf(parsedJson(json));
    if (chunk === undefined) throw this.fault('the model sent a line that is not a JSON object');
    const error = errorIn(chunk);
    if (error !== undefined) throw this.#errorFault(error);
    this.#model ??= textOf(chunk['model']);
    // Older models of Groq have it in a member of their own.
    const usage = objectOf(chunk['usage']) ?? objectOf(objectOf(chunk['x_groq'])?.['usage']);
    if (usage !== undefined) this.#usage = usage;
    const text = this.#choices(listOf(chunk['choices']));
    return usage === undefined ? text : undefined;
  }

  /** Reads an answer that is one document instead of a stream. @throws as `data` does. */
  whole(json: string): void {
    this.#isDocument = true;
    const parsed = parsedJson(json.trim());
    this.data(JSON.stringify((Array.isArray(parsed) ? parsed[0] : parsed) ?? null));
    this.#ended = true;
  }

  /** The whole reply. MUST be called only when `complete`. @throws ModelError when a content filter or a fault ended it. */
  reply(): ModelReply {
    this.passOn();
    const kind = finishKind(this.#finish);
    if (kind === 'content-filter') throw this.#refusal('the content filter ended the reply');
    if (kind === 'failed') throw this.fault(`the model gave up on its reply${labelled(this.#finish)}`);
    if (kind === 'slip') throw new ModelSlip(`the model wrote no call${labelled(this.#finish)}`, { begun: this.begun });
    const cut = kind === 'length';
    // A call that ran into the length limit may be half a call, even when its arguments happen to be valid JSON.
    const toolCalls = cut ? [] : this.#calls.calls();
    const text = this.#spoken.end(this.text.unescaped(), { isCut: cut });
    checkSaid({ text, hasCalls: !this.#calls.isEmpty, reason: this.#finish, isCut: cut });
    this.#thought?.tell();
    return {
      text,
      toolCalls,
      usage: usageIn(this.#usage ?? {}),
      model: this.#model ?? this.#configuredModel,
      finish: cut ? 'length' : toolCalls.length > 0 ? 'tool-calls' : 'stop',
    };
  }

  /** What the provider may want back with the reply. Undefined where it has written nothing else. */
  get extras(): ReadExtras | undefined {
    return this.#extras?.read(this.#calls.extras());
  }

  /** A fault of the connection or of the format. Another attempt makes sense only before the first token. */
  fault(message: string, options: { readonly timeout?: boolean; readonly cause?: unknown } = {}): ModelError {
    this.passOn();
    const code = options.timeout === true ? 'model_timeout' : 'model_unavailable';
    if (this.begun) return new InterruptedReply(code, message, { cause: options.cause });
    return new ModelError(code, message, { transient: code === 'model_unavailable', cause: options.cause });
  }

  /** Returns the text when there is one plain text delta and nothing else. */
  #choices(choices: readonly unknown[]): string | undefined {
    const choice = objectOf(choices[0]);
    if (choice === undefined) return undefined;
    // Some servers send a whole message in the place of its pieces, and a few beside an empty piece.
    const [piece, message] = [objectOf(choice['delta']), objectOf(choice['message'])];
    const delta = (this.#isDocument ? (message ?? piece) : (piece ?? message)) ?? {};
    this.#thought?.add(thoughtOf(delta));
    const text = contentText(delta['content']);
    if (text !== '') {
      this.text.addString(JSON.stringify(text).slice(1, -1));
      this.textAdded();
      this.passOn();
    }
    if (textOf(delta['refusal']) !== undefined) throw this.#refusal('the model refused to answer');
    const hasExtras = ReplyExtras.isIn(delta);
    if (hasExtras) this.#readExtras().add(delta);
    const calls = listOf(delta['tool_calls']);
    for (const call of calls) this.#addCall(objectOf(call) ?? {});
    const only = objectOf(delta['function_call']);
    if (only !== undefined) this.#addCall({ index: 0, function: only });
    const finish = textOf(choice['finish_reason']);
    this.#finish ??= finish;
    const hasMore = hasExtras || calls.length > 0 || only !== undefined || finish !== undefined;
    return choices.length === 1 && !hasMore ? textOf(delta['content']) : undefined;
  }

  #addCall(call: Fields): void {
    const declared = objectOf(call['function']) ?? {};
    const written = declared['arguments'];
    const fragment = {
      index: countOf(call['index']),
      id: textOf(call['id']),
      name: textOf(declared['name']),
      arguments: argumentsText(written),
      extras: ReplyExtras.isIn(call) ? this.#readExtras().signatures(call) : undefined,
    };
    this.#meter.keep(byteLength(fragment.id) + byteLength(fragment.name) + byteLength(fragment.arguments));
    this.#calls.add(fragment);
  }

  #readExtras(): ReplyExtras {
    this.#extras ??= new ReplyExtras(this.#meter);
    return this.#extras;
  }

  /** The fault of a reply that broke one of its limits. Another attempt would most likely do so, too. */
  tooLarge(message: string): ModelError {
    this.passOn();
    if (this.begun) return new InterruptedReply('model_unavailable', message);
    return new ModelError('model_unavailable', message, { transient: false });
  }

  #refusal(message: string, words?: string): ModelError {
    if (this.begun) return new InterruptedReply('model_refused', message, { words });
    return new ModelError('model_refused', message, { transient: false, words });
  }

  #errorFault(error: unknown): ModelError {
    const fields = objectOf(error) ?? { message: error };
    const names = ['type', 'code', 'param'].map((name) => textOf(fields[name]));
    const [type, code, param] = names.map((name) => name && this.#clean(name));
    const reason = code ?? type;
    const detail = this.#clean(textOf(fields['message']) ?? textOf(fields['msg']) ?? textOf(fields['detail']) ?? '');
    if (isContentRefusal(reason)) return this.#refusal(`the model sent an error${labelled(reason)}`, wordsOf(detail));
    const status = statusIn(fields['code']) ?? statusIn(fields['status']) ?? 500;
    const fault = statusFault({ status, detail, reason, type, param, retryAfterMs: retryDelayIn(fields) });
    return this.begun ? interrupted(fault) : fault;
  }
}

/** The thought in a piece of a message. Some servers send it under two names. */
function thoughtOf(delta: Fields): string {
  const [thought = ''] = thoughtMembers.flatMap((name) => textOf(delta[name]) ?? []).filter((text) => text !== '');
  return thought === '' ? thoughtsIn(delta['content']) : thought;
}

/** What a reply has taken. Some servers count thoughts in the sum alone: they are paid for as output. */
function usageIn(usage: Fields): ModelReply['usage'] {
  const input = countOf(usage['prompt_tokens']) ?? 0;
  const output = countOf(usage['completion_tokens']) ?? 0;
  const sum = countOf(usage['total_tokens']) ?? 0;
  return {
    inputTokens: input,
    outputTokens: Math.max(output, sum - input),
    ...cachedTokens(countOf(objectOf(usage['prompt_tokens_details'])?.['cached_tokens'])),
  };
}

/** The error that a line tells. Some servers write its members in the place of a chunk. */
function errorIn(chunk: Fields): unknown {
  const error = chunk['error'];
  if (error !== undefined && error !== null) return error;
  if (chunk['choices'] !== undefined) return undefined;
  const isTold = ['message', 'msg', 'detail'].some((name) => textOf(chunk[name]) !== undefined);
  return isTold || chunk['object'] === 'error' ? chunk : undefined;
}

/** The HTTP status that a member holds, as a number or as a text. */
function statusIn(value: unknown): number | undefined {
  const status = Number(typeof value === 'string' ? value : countOf(value));
  return status >= 400 && status < 600 ? status : undefined;
}

/** A text, or the text parts of a list. Servers that stream their thinking beside the text send lists. */
function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .map((part) => objectOf(part))
    .map((part) => (part?.['type'] === 'text' ? (textOf(part['text']) ?? '') : ''))
    .join('');
}
