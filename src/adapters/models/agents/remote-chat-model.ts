import {
  type ChatMessage,
  type ChatModel,
  type HistoryMark,
  ModelError,
  type ModelReply,
  type ModelRequest,
  type ReplySink,
} from '../../../core/ports/chat-model.ts';
import { type RemoteAgent, RemoteAgentFault, type RemoteThread } from '../../../core/ports/remote-agent.ts';

/** The agent on another server that answers users. */
export interface RemoteChatModelOptions {
  /** What users, logs and metrics see. */
  readonly name: string;
  /** Tells its conversations from those of other agents. A conversation goes on only with the agent with which it began. */
  readonly identity: string;
  readonly remote: RemoteAgent;
}

/**
 * An agent on another server in place of a model (contract/agents.md#an-agent-that-answers). It is sent the newest message alone, because it
 * keeps the conversation itself. It is offered no tools, and gets no instructions. `close` closes nothing: the agent has an owner of its own.
 */
export class RemoteChatModel implements ChatModel {
  readonly model: string;
  readonly provider = 'a2a';
  readonly isDemo = false;
  readonly #identity: string;
  readonly #remote: RemoteAgent;

  constructor({ name, identity, remote }: RemoteChatModelOptions) {
    this.model = name;
    this.#identity = identity;
    this.#remote = remote;
  }

  async run(request: ModelRequest, sink: ReplySink): Promise<ModelReply> {
    const { messages, signal, traceparent, turn } = request;
    const message = messages.findLast(({ role }) => role === 'user');
    if (message?.role !== 'user') throw fault(`${this.model} was given no message`);
    try {
      const { text, thread } = await this.#remote.ask(
        {
          text: message.text,
          images: message.images,
          thread: this.#threadIn(messages),
          messageId: `${turn?.id ?? crypto.randomUUID()}/coordinator`,
          signal,
          traceparent,
        },
        (piece) => {
          sink.text(JSON.stringify(piece).slice(1, -1));
        },
      );
      const usage = { inputTokens: 0, outputTokens: 0 };
      const said = { text, toolCalls: [], usage, model: this.model, finish: 'stop' } as const;
      return thread === undefined ? said : { ...said, mark: this.#markOf(thread) };
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof RemoteAgentFault ? fault(error.message) : error;
    }
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** Where the conversation with this agent stands: its last reply says it. */
  #threadIn(messages: readonly ChatMessage[]): RemoteThread | undefined {
    const marks = messages.flatMap((message) => (message.role === 'assistant' ? (message.mark ?? []) : []));
    const mark = marks.findLast(({ model }) => model === this.#identity);
    if (mark === undefined) return undefined;
    return { contextId: mark.id, ...(mark.task === undefined ? {} : { taskId: mark.task }) };
  }

  #markOf({ contextId, taskId }: RemoteThread): HistoryMark {
    const task = taskId === undefined ? {} : { task: taskId };
    return { id: contextId, model: this.#identity, instructions: '', ...task };
  }
}

/** The agent waits by itself before it is asked again, so that nobody else tries again. */
function fault(message: string): ModelError {
  return new ModelError('model_unavailable', message, { transient: false });
}
