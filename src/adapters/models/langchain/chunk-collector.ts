import { ModelError, type ModelReply, type ModelToolCall, type ReplySink } from '../../../core/ports/chat-model.ts';
import { cachedTokens } from '../cached-tokens.ts';
import { finishKind } from '../finish-kind.ts';
import { InterruptedReply } from '../interrupted-reply.ts';
import { argumentsText, countOf, listOf, objectOf, textOf } from '../json-values.ts';
import { checkSaid } from '../no-reply.ts';
import type { ReadExtras } from '../own-extras.ts';
import { labelled, wordsOf } from '../status-fault.ts';
import { byteLength, type ReplyMeter } from '../reply-limits.ts';
import { SpokenText, type ThoughtHabit } from '../spoken-text.ts';
import type { ToldThought } from '../told-thought.ts';
import { ToolCallAssembler } from '../tool-call-assembler.ts';
import { ModelSlip } from '../with-slips.ts';
import { ExtraBlocks, thoughtIn } from './extra-blocks.ts';
import type { HostedCollector } from './hosted-collector.ts';
import { PartialArguments } from './partial-arguments.ts';
import type { RawEvents } from './raw-events.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Puts a reply together from the chunks of a LangChain stream, and pushes its text. The fields are read by hand: LangChain's own joining of
 * chunks would cost more than all other work of a turn.
 */
export class ChunkCollector {
  readonly #spoken: SpokenText;
  readonly #configuredModel: string;
  readonly #texts: string[] = [];
  readonly #calls = new ToolCallAssembler();
  /** The tokens by the package, without those that its sum has beside input and output. */
  #usage = { input: 0, output: 0, beside: 0 };
  #cachedInputTokens: number | undefined;
  #model: string | undefined;
  #reason: string | undefined;
  #refused = false;
  #id: string | undefined;
  readonly #meter: ReplyMeter;
  readonly #thought: ToldThought | undefined;
  readonly #hosted: HostedCollector | undefined;
  readonly #extras: ExtraBlocks;
  readonly #raw: RawEvents | undefined;
  /** The arguments of the last call, where they come value by value. */
  #partial: PartialArguments | undefined;
  /** Whether another message begins with the next text. */
  #isBreak = false;
  #explanation: string | undefined;
  /** Characters of the text so far. */
  #length = 0;

  /**
   * `habit` is what earlier replies have shown of the model. `model` is the configured name. `meter` counts the bytes that the reply holds. `hosted` is left out when the provider has no tools of
   * its own. `raw` has read the same reply. `thought` takes what the model thinks; left out, nobody is told.
   */
  constructor(options: {
    readonly sink: ReplySink;
    readonly habit: ThoughtHabit;
    readonly model: string;
    readonly meter: ReplyMeter;
    readonly hosted?: HostedCollector | undefined;
    readonly raw?: RawEvents | undefined;
    readonly thought?: ToldThought | undefined;
  }) {
    const { thought } = options;
    this.#thought = thought;
    this.#meter = options.meter;
    this.#hosted = options.hosted;
    this.#extras = new ExtraBlocks(options.meter);
    this.#raw = options.raw;
    this.#spoken = new SpokenText(options.sink, {
      habit: options.habit,
      soFar: () => this.#texts.join(''),
      thought: thought && ((text) => thought.add(text)),
    });
    this.#configuredModel = options.model;
  }

  /** Whether the first token of an answer or of a tool call has arrived, or the provider has begun a call of its own. */
  get begun(): boolean {
    return this.#spoken.begun || !this.#calls.isEmpty || this.#hosted?.begun === true;
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
    this.#extras.addChunk(chunk);
    this.#addText(chunk['content']);
    this.#addCalls(chunk);
    const metadata = objectOf(chunk['response_metadata']) ?? {};
    // The name is taken from the first chunk that has it. LangChain's own joining repeats the name ("gpt-5gpt-5").
    this.#model ??= textOf(metadata['model_name']) ?? textOf(metadata['model']);
    this.#id ??= textOf(metadata['id']);
    const further = objectOf(chunk['additional_kwargs']);
    this.#addUsage(objectOf(chunk['usage_metadata']), isEndOfClaude(further));
    this.#reason ??= reasonOf(metadata) ?? textOf(further?.['stop_reason']);
    this.#explanation ??= textOf(objectOf(further?.['stop_details'])?.['explanation']);
    if (textOf(further?.['refusal']) !== undefined) this.#refused = true;
    const beside = textOf(further?.['reasoning_content']);
    this.#thought?.add(beside);
    this.#meter.keep(byteLength(beside));
  }

  /** @throws ModelError when the provider's content filter or a fault ended the reply. */
  reply(): ModelReply {
    this.#endPartial();
    const reason = this.#reason ?? this.#raw?.reason;
    const kind = finishKind(reason);
    if (this.#refused || kind === 'content-filter') throw this.refusal();
    if (kind === 'failed') {
      const message = `the model gave up on its reply${labelled(reason)}`;
      if (this.begun) throw new InterruptedReply('model_unavailable', message);
      throw new ModelError('model_unavailable', message, { transient: true });
    }
    if (kind === 'slip') throw new ModelSlip(`the model wrote no call${labelled(reason)}`, { begun: this.begun });
    // A call that ran into the length limit may be half a call, even when its arguments happen to be valid JSON.
    const toolCalls = kind === 'length' ? [] : [...this.#wholeCalls(), ...(this.#hosted?.approvals ?? [])];
    const isCut = kind === 'length';
    const text = this.#spoken.end(this.#texts.join(''), { isCut });
    const { begun = false, approvals = [] } = this.#hosted ?? {};
    const hasCalls = !this.#calls.isEmpty || begun || approvals.length > 0;
    checkSaid({ text, hasCalls, reason, isCut });
    this.#thought?.tell();
    const { items, ...hosted } = this.#hosted?.reply() ?? {};
    return {
      text,
      toolCalls,
      usage: this.#raw?.usage ?? {
        inputTokens: this.#usage.input,
        outputTokens: this.#usage.output + this.#usage.beside,
        ...cachedTokens(this.#cachedInputTokens),
      },
      model: this.#model ?? this.#configuredModel,
      finish: kind === 'stop' && toolCalls.length > 0 ? 'tool-calls' : kind,
      ...hosted,
      ...(items === undefined || toolCalls.length === 0 ? {} : { items }),
    };
  }

  /** What the provider may want back with this reply. */
  extras(reply: ModelReply): ReadExtras {
    return this.#extras.read(reply);
  }

  #addText(content: unknown): void {
    const text =
      typeof content === 'string'
        ? content
        : listOf(content)
            .map((block) => this.#blockText(block))
            .join('');
    if (text === '') return;
    this.#say(this.#startsAnother() ? `\n\n${text}` : text);
    this.#length += text.length;
  }

  /** Whether this text is the first of another message, and no break stands before it. */
  #startsAnother(): boolean {
    const isBreak = this.#length > 0 && (this.#isBreak || this.#raw?.isBreak(this.#length) === true);
    this.#isBreak = false;
    return isBreak && this.#texts.at(-1)?.endsWith('\n') !== true;
  }

  #say(text: string): void {
    const escaped = JSON.stringify(text).slice(1, -1);
    this.#meter.keep(byteLength(escaped));
    this.#texts.push(text);
    this.#spoken.add(escaped);
  }

  #addCalls(chunk: Fields): void {
    const pieces = listOf(chunk['tool_call_chunks']);
    // A model that cannot stream hands over one whole message, which has calls but no pieces of calls.
    const calls = pieces.length > 0 ? pieces : [...listOf(chunk['tool_calls']), ...listOf(chunk['invalid_tool_calls'])];
    const streamed = listOf(chunk['content'])
      .map((block) => objectOf(objectOf(block)?.['functionCall']))
      .filter((call) => call !== undefined);
    for (const [index, entry] of calls.entries()) {
      const call = objectOf(entry) ?? {};
      if (this.#isPartial(call, streamed[index])) continue;
      const written = call['args'];
      const fragment = {
        index: countOf(call['index']),
        id: textOf(call['id']),
        name: textOf(call['name']),
        arguments: argumentsText(written),
      };
      this.#meter.keep(byteLength(fragment.id) + byteLength(fragment.name) + byteLength(fragment.arguments));
      this.#calls.add(fragment);
    }
  }

  /** Reads a call of Gemini whose arguments come value by value. Returns whether there is nothing else in it. */
  #isPartial(call: Fields, streamed: Fields = {}): boolean {
    const isNamed = textOf(call['name']) !== undefined;
    if (isNamed) this.#endPartial();
    const pieces = PartialArguments.in(streamed);
    if (pieces !== undefined) {
      this.#meter.keep(byteLength(JSON.stringify(pieces)));
      this.#partial ??= new PartialArguments();
      this.#partial.add(pieces);
    }
    return !isNamed && call['index'] === undefined && (call['args'] ?? '') === '';
  }

  #endPartial(): void {
    if (this.#partial !== undefined) this.#calls.add({ arguments: this.#partial.text });
    this.#partial = undefined;
  }

  /** The calls of this server. Some providers send the arguments of a call only when they are whole, which its package leaves out. */
  #wholeCalls(): readonly ModelToolCall[] {
    return this.#calls
      .calls()
      .map((call) => (call.arguments === '' ? { ...call, arguments: this.#raw?.argumentsOf(call.id) ?? '' } : call));
  }

  /** LangChain keeps blocks of other kinds, such as a model's thinking, until the reply ends. So they count towards the limits, too. */
  #blockText(block: unknown): string {
    const fields = objectOf(block);
    if (fields?.['phase'] !== undefined) this.#isBreak = true;
    if (fields?.['type'] === 'text') return textOf(fields['text']) ?? '';
    this.#meter.keep(byteLength(JSON.stringify(block)));
    this.#thought?.add(thoughtIn(fields), fields?.['index']);
    this.#extras.addBlock(block, { text: this.#length, calls: this.#calls.count });
    return '';
  }

  /**
   * Some providers report all usage at the end, others report increments. The sum is right in both cases. Claude counts its whole output at
   * the end, once more with what it has counted at the beginning.
   */
  #addUsage(usage: Fields | undefined, isWholeOutput: boolean): void {
    const [input, output] = [countOf(usage?.['input_tokens']) ?? 0, countOf(usage?.['output_tokens']) ?? 0];
    const beside = Math.max(0, (countOf(usage?.['total_tokens']) ?? 0) - input - output);
    const before = isWholeOutput && output > 0 ? 0 : this.#usage.output;
    this.#usage = {
      input: this.#usage.input + input,
      output: before + output,
      // Gemini counts its thoughts in the sum alone.
      beside: this.#usage.beside + beside,
    };
    const cached = countOf(objectOf(usage?.['input_token_details'])?.['cache_read']);
    if (cached !== undefined) this.#cachedInputTokens = (this.#cachedInputTokens ?? 0) + cached;
  }

  /** The fault of a reply that its provider has refused. */
  refusal(): ModelError {
    const message = 'the model refused to answer';
    const words = this.#explanation && wordsOf(this.#explanation);
    if (this.begun) return new InterruptedReply('model_refused', message, { words });
    return new ModelError('model_refused', message, { transient: false, words });
  }
}

/** Whether a chunk of Claude ends the message. Its package puts the reason beside the content, and the other packages do not. */
function isEndOfClaude(further: Fields | undefined): boolean {
  return further !== undefined && 'stop_reason' in further && 'stop_sequence' in further;
}

/** The reason for the end of a reply, under the name that each provider uses. For the Responses API this is the status. */
function reasonOf(metadata: Fields): string | undefined {
  const named = ['finish_reason', 'stop_reason', 'finishReason', 'done_reason'].map((name) => textOf(metadata[name]));
  const reason = named.find((text) => text !== undefined);
  if (reason !== undefined) return reason;
  const stopped = textOf(objectOf(metadata['messageStop'])?.['stopReason']);
  if (stopped !== undefined) return stopped;
  return textOf(objectOf(metadata['incomplete_details'])?.['reason']) ?? textOf(metadata['status']);
}
