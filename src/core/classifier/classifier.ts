import { hasRepeatedNames } from '../base/repeated-names.ts';
import { untilStopped } from '../base/until-stopped.ts';
import type { ModelCall, Payer, Spender } from '../ports/spender.ts';
import { type ChatModel, ModelError, type ModelReply, type ModelRequest } from '../ports/chat-model.ts';

/** Most characters of an answer that are read. */
const maxAnswerLength = 20_000;

/** One question to the model behind `classifierChatClient`. */
export interface SmallQuestion {
  /** The task, and the form of the answer. */
  readonly instructions: string;
  /** The subject of the question. Users' texts in it are delimited data. */
  readonly text: string;
  /** Milliseconds the answer may take. */
  readonly timeoutMs: number;
  /** Aborts when nobody needs the answer any more. */
  readonly signal: AbortSignal;
  /** The tenant of the user that the question is about; undefined without one. */
  readonly tenant: string | undefined;
}

/**
 * Asks a model the small questions of the server (contract/models.md#small-questions). A question is one message without tools, at
 * temperature 0. Each question is one call of the model and is counted like every other call.
 */
export class Classifier {
  readonly #model: ChatModel;
  readonly #paying: Paying | undefined;

  /** The caller owns and closes `model`. `paying`: the budgets that pay for the calls. Left out, no budget pays. */
  constructor(model: ChatModel, paying?: Paying) {
    this.#model = model;
    this.#paying = paying;
  }

  /** A classifier with the same model whose calls are paid from the budgets of this spender (contract/limits.md#budgets). */
  for(spender: Spender | undefined): Classifier {
    return this.#paying === undefined ? this : new Classifier(this.#model, { ...this.#paying, spender });
  }

  /**
   * The model's answer in words, without space around it.
   * @throws ModelError when the model fails, or takes too long (`model_timeout`); the signal's reason once that aborts.
   */
  async words(question: SmallQuestion): Promise<string> {
    return (await this.#ask(question)).text.trim().slice(0, maxAnswerLength);
  }

  /**
   * The JSON object that the model answers. Its members are not checked yet. Undefined when the answer is something else. Undefined MUST
   * NOT count as a verdict. @throws as `words` does.
   */
  async object(question: SmallQuestion): Promise<Readonly<Record<string, unknown>> | undefined> {
    const { text } = await this.#ask(question, 'json');
    return text.length > maxAnswerLength ? undefined : objectIn(text);
  }

  /**
   * The model's answer to a question of yes or no: one JSON object that has this member once, with true or false. Other members, such as the
   * reason, do not count. Undefined when the answer is something else. Undefined MUST NOT count as a verdict. @throws as `words` does.
   */
  async verdict(question: SmallQuestion, member: 'safe' | 'answer'): Promise<boolean | undefined> {
    const { text } = await this.#ask(question, 'json');
    const answer = text.length > maxAnswerLength ? undefined : objectIn(text);
    // JSON.parse would take the last of two members that contradict each other.
    if (answer === undefined || hasRepeatedNames(withoutCodeBlock(text), answer)) return undefined;
    const said = answer[member];
    return typeof said === 'boolean' ? said : undefined;
  }

  async #ask(
    { instructions, text, timeoutMs, signal, tenant }: SmallQuestion,
    format?: ModelRequest['format'],
  ): Promise<ModelReply> {
    const limit = AbortSignal.timeout(timeoutMs);
    const either = AbortSignal.any([signal, limit]);
    const request: ModelRequest = {
      instructions,
      messages: [{ role: 'user', text, origin: 'user' }],
      tools: [],
      toolChoice: 'auto',
      signal: either,
      flow: { paused: false, onResume: () => undefined },
      tenant,
      temperature: 0,
      format,
    };
    try {
      return await untilStopped(this.#run({ model: this.#model, request, sink: { text: () => undefined } }), either);
    } catch (error) {
      signal.throwIfAborted();
      if (!limit.aborted) throw error;
      const message = `no answer to a small question within ${String(timeoutMs)} ms`;
      throw new ModelError('model_timeout', message, { transient: false, cause: error });
    }
  }

  #run(call: ModelCall): Promise<ModelReply> {
    const { payer, spender } = this.#paying ?? {};
    const paying = payer?.();
    if (paying === undefined || spender === undefined) return call.model.run(call.request, call.sink);
    return paying.pay(spender, call);
  }
}

/** How the calls are paid. */
interface Paying {
  /** Undefined while there are no budgets. */
  readonly payer: () => Payer | undefined;
  /** Undefined: the question is asked for no user in particular, and is not counted. */
  readonly spender?: Spender | undefined;
}

/** Models often put a JSON object into a code block. */
const codeBlock = /^```(?:json)?[^\S\n]*\n/;

function withoutCodeBlock(text: string): string {
  const trimmed = text.trim();
  const [fence] = codeBlock.exec(trimmed) ?? [];
  return fence !== undefined && trimmed.endsWith('```') ? trimmed.slice(fence.length, -3).trim() : trimmed;
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(withoutCodeBlock(text));
    // What JSON.parse returns as an object has text keys.
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Not JSON is no verdict.
  }
  return undefined;
}
