import {
  type AskingTurn,
  type ChatModel,
  ModelError,
  type ModelReply,
  type ModelRequest,
  type ReplySink,
} from '../../../core/ports/chat-model.ts';
import type { Logger } from '../../../core/ports/logger.ts';
import type { AgentContext, AnsweringAgent } from '../../../plugin-api/answering-agent.ts';
import type { PipelineReply, PipelineRequest, PipelineSink } from '../../../plugin-api/pipeline.ts';
import { PipelineCall } from '../pipeline/pipeline-call.ts';
import { AgentReply } from './agent-reply.ts';

/** What a plugin's agent is held to. Durations are milliseconds. */
export interface AgentLimits {
  /** Without a piece of the answer. */
  readonly idleMs: number;
  /** For one call of `stream`. */
  readonly totalMs: number;
  /** The most UTF-16 units of the texts of one call, JSON-escaped, and of its arguments for tools. */
  readonly replyLength: number;
}

const second = 1_000;

const usualLimits: AgentLimits = { idleMs: 60 * second, totalMs: 600 * second, replyLength: 4 * 1024 * 1024 };

/** The agent of a plugin that answers users. */
export interface PluginChatModelOptions {
  /** Its name under `agents` of the plugin, which users, logs and metrics see. */
  readonly name: string;
  readonly plugin: string;
  readonly agent: AnsweringAgent;
  /** Whether faults repeat the plugin's words, which may repeat what users said (`observabilityIncludeSensitiveData`). */
  readonly includeSensitive: boolean;
  readonly log: Logger;
  /** Left out: those of a running server. */
  readonly limits?: AgentLimits;
}

/** An agent of a plugin in place of a model (contract/agents.md#an-agent-that-answers). */
export class PluginChatModel implements ChatModel {
  readonly model: string;
  readonly provider = 'plugin';
  readonly isDemo = false;
  readonly #options: PluginChatModelOptions;
  readonly #limits: AgentLimits;
  readonly #label: string;

  constructor(options: PluginChatModelOptions) {
    const { name, plugin, limits = usualLimits } = options;
    this.model = name;
    this.#options = options;
    this.#limits = limits;
    this.#label = `the agent ${name} of the plugin ${plugin}`;
  }

  async run(request: ModelRequest, sink: ReplySink): Promise<ModelReply> {
    const { idleMs, totalMs, replyLength: maxReplyLength } = this.#limits;
    const ending = new AbortController();
    const late = new AbortController();
    const timer = setTimeout(() => {
      late.abort(new Error('the time is up'));
    }, totalMs);
    const signal = AbortSignal.any([request.signal, late.signal]);
    const run = (given: PipelineRequest, own: PipelineSink): Promise<PipelineReply> =>
      this.#answer(given, own, { turn: request.turn, ended: ending.signal });
    const layer = { label: this.#label, idleMs, maxReplyLength, includeSensitive: this.#options.includeSensitive, run };
    try {
      return await new PipelineCall(layer, { ...request, signal }, sink).run();
    } catch (error) {
      request.signal.throwIfAborted();
      if (!late.signal.aborted) throw error;
      const message = `${this.#label} did not end its answer within ${String(totalMs)} ms`;
      throw new ModelError('model_timeout', message, { transient: false });
    } finally {
      clearTimeout(timer);
      ending.abort(new Error('the call is over'));
    }
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  async #answer(
    { messages, instructions, tools, toolChoice, signal: stop }: PipelineRequest,
    sink: PipelineSink,
    { turn, ended }: { readonly turn: AskingTurn | undefined; readonly ended: AbortSignal },
  ): Promise<PipelineReply> {
    if (turn === undefined) throw new TypeError('an agent answers turns alone');
    const { agent, log } = this.#options;
    const signal = AbortSignal.any([stop, ended]);
    const { id: turnId, ...asking } = turn;
    const context: AgentContext = {
      ...{ signal, instructions, tools, toolChoice },
      ...{ turnId, ...asking },
      log: log.child({ turnId }),
    };
    const reply = new AgentReply(sink, this.#limits.replyLength);
    const pieces = agent.stream(messages, Object.freeze(context))[Symbol.asyncIterator]();
    // A generator that waits is not ended by this call before it goes on, so its agent must heed the signal.
    const leave = (): void => void pieces.return?.().catch(() => undefined);
    signal.addEventListener('abort', leave, { once: true });
    try {
      for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) {
        signal.throwIfAborted();
        reply.take(next.value);
      }
      return reply.whole(this.model);
    } catch (error) {
      leave();
      throw error;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }
}
