import type { ActionLog, ActionPage, ActionUser } from './action.ts';
import type { PipelineMessage, PipelineTool } from './pipeline.ts';

/** What an agent may know of the turn in which it is asked (contract/agents.md#an-agent-that-answers). */
export interface AgentContext {
  /** Aborts on Stop, when the time is up, and when the call has ended for another reason. Pass it on to whatever waits. */
  readonly signal: AbortSignal;
  /** What the server would tell a model: who it is, its language and its rules. */
  readonly instructions: string;
  /** The tools of the server that this user may be offered. Whoever asks for one of them yields an `AgentToolCall`. */
  readonly tools: readonly PipelineTool[];
  /** `none`: a tool that is asked for does not run. `required`: it must ask for a tool. */
  readonly toolChoice: 'auto' | 'none' | 'required';
  readonly user: ActionUser;
  readonly turnId: string;
  readonly conversationId: string;
  readonly channel: 'hub' | 'sse' | 'in-process' | 'openai' | 'a2a' | 'agui';
  readonly page: ActionPage | undefined;
  readonly log: ActionLog;
}

/**
 * Asks for a tool of the server. It runs after the stream has ended, with the same checks, roles and questions to the user as the call of a
 * model. `stream` is then called again, with the call and its result at the end of the messages.
 */
export interface AgentToolCall {
  readonly toolCall: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> };
}

/** Says what the answer has taken, where the agent knows. What several of them say is added up. */
export interface AgentUsage {
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
}

/** A piece of an answer. A text is shown to the user at once. */
export type AgentPiece = string | AgentToolCall | AgentUsage;

/** An agent that answers users in place of a model: `agent: { plugin: NAME }`. */
export interface AnsweringAgent {
  /**
   * Answers a conversation, the newest message last. The answer ends with the iteration. After an exception the turn fails, and what was said
   * until then stays.
   */
  stream(messages: readonly PipelineMessage[], context: AgentContext): AsyncIterable<AgentPiece>;
}
