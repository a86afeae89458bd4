import type { CallScope, TurnScope } from '../../calls/call-scope.ts';
import type { ToolCall } from '../../calls/tool-call.ts';
import type { ChatMessage } from '../../ports/chat-model.ts';
import type { ApprovalGiven, HostedCall } from '../../ports/hosted-tools.ts';
import { ToolInterrupted } from '../../tools/tool-faults.ts';
import type { ToolResult } from '../../tools/tool.ts';
import { outcomeOfServer, outcomeText, type ToolOutcome } from '../../tools/tool-outcome.ts';
import { type AssistantMessage, type RecordedReply, toolMessage } from '../recorded-reply.ts';
import { hostedCallToolbox } from './hosted-call-tool.ts';
import type { HostedUse } from './hosted-use.ts';

const notMade = outcomeOfServer('cancelled', outcomeText.cancelled);

/** An approved call that waits for its result from the provider. */
interface WaitingCall {
  readonly call: ToolCall;
  readonly done: PromiseWithResolvers<ToolResult>;
}

/** What is needed to continue after a reply with calls of the provider. */
interface HostedRoundScope {
  readonly turn: TurnScope;
  readonly reply: RecordedReply;
  /** The same reply as a message. */
  readonly said: AssistantMessage;
  readonly use: HostedUse;
  /** The beginning of the keys of the round. */
  readonly path: string;
  /** Asks the agent for its next reply. */
  readonly ask: (answered: readonly ChatMessage[], isApproved: (call: HostedCall) => boolean) => Promise<RecordedReply>;
}

/**
 * The calls of one reply that the provider makes once they are approved (contract/hosted-tools.md#approvals). Each call is checked like any
 * other call. To run such calls, this server sends the next request to the model, with the answers to all of them. It sends the request
 * when every call of the round is approved or has its outcome.
 *
 * The sending is recorded before the request goes out. A turn that continues from such a record never approves again, because nobody knows
 * what the provider did.
 */
export class HostedRound {
  readonly #scope: HostedRoundScope;
  readonly #waiting = new Map<string, WaitingCall>();
  readonly #outcomes = new Map<string, ToolOutcome>();
  #next: Promise<RecordedReply> | undefined;
  /** Whether this process has sent the approvals, or is about to. */
  #hasAsked = false;

  constructor(scope: HostedRoundScope) {
    this.#scope = scope;
  }

  /** The reply to the approvals. Undefined where no approval was sent. */
  get next(): Promise<RecordedReply> | undefined {
    return this.#next;
  }

  /** The scope with which a call must be invoked. A call of the provider gets a toolbox of its own. */
  scopeOf(call: ToolCall, scope: CallScope): CallScope {
    const { hosted: wanted, name } = call;
    if (wanted === undefined) return scope;
    const { servers, showsActivity } = this.#scope.use;
    const { agent, services } = scope;
    const toolbox = hostedCallToolbox({
      name,
      wanted,
      servers,
      texts: services.texts,
      wasSent: () => this.#wasSent,
      isUntouched: () => !this.#wasSent && !this.#hasAsked,
      run: () => this.#run(call),
    });
    if (toolbox.tools.length === 0) {
      services.log.warn({ turnId: scope.turn.id, tool: name }, 'the provider asked for an approval of an unknown tool');
    }
    return {
      ...scope,
      agent: { ...agent, toolbox, mayApproveByRule: false },
      services: { ...services, enableActionFeedback: showsActivity },
    };
  }

  /** Must be called with the outcome of every call of the round, as a promise. Sends the approvals when no call is undecided any more. */
  async settling({ callId }: ToolCall, invoked: Promise<ToolOutcome>): Promise<ToolOutcome> {
    try {
      const outcome = await invoked;
      this.#waiting.delete(callId);
      this.#outcomes.set(callId, outcome);
      this.#askWhenReady();
      return outcome;
    } catch (error) {
      // Without this, the other calls would wait for this call for ever.
      this.#endWaiting(() => new Error('a call beside this one could not be made'));
      throw error;
    }
  }

  /** The reply and the outcomes of its calls, as the next request to the model has them. */
  get answered(): readonly ChatMessage[] {
    const { reply, said } = this.#scope;
    // A model that cannot pass the approval on, such as one that a budget has chosen, reads that the call was not made.
    const outcomes = reply.calls.map((call) => toolMessage(call, this.#outcomes.get(call.callId) ?? notMade));
    return [this.#withAnswers(said), ...outcomes];
  }

  /** Whether an earlier process has sent the approvals. */
  get #wasSent(): boolean {
    return this.#scope.turn.record.inherited(this.#sentKey);
  }

  get #sentKey(): string {
    return `${this.#scope.path}/sent`;
  }

  /** Adds the answers to the approval requests in the form of the provider, as long as all its requests are open. */
  #withAnswers(said: AssistantMessage): ChatMessage {
    const { calls, items } = this.#scope.reply;
    const asking = calls.filter(({ hosted }) => hosted !== undefined);
    if (items === undefined || asking.length === 0 || this.#wasSent || this.#hasAsked) return said;
    const wanted = new Map(asking.map(({ callId, hosted }) => [callId, hosted]));
    const approvals = asking.map((call) => this.#answerTo(call));
    const toolCalls = said.toolCalls.map((call) => {
      const hosted = wanted.get(call.id);
      return hosted === undefined ? call : { ...call, hosted };
    });
    return { ...said, toolCalls, answered: { items, approvals } };
  }

  #answerTo({ callId, hosted }: ToolCall): ApprovalGiven {
    const id = hosted?.id ?? callId;
    const outcome = this.#outcomes.get(callId);
    return outcome === undefined ? { id, approve: true } : { id, approve: false, reason: outcome.text };
  }

  #run(call: ToolCall): Promise<ToolResult> {
    // Another process has sent the approval.
    if (this.#wasSent) return Promise.reject(new ToolInterrupted('the approval was sent before'));
    const done = Promise.withResolvers<ToolResult>();
    this.#waiting.set(call.callId, { call, done });
    this.#askWhenReady();
    return done.promise;
  }

  #askWhenReady(): void {
    const { calls } = this.#scope.reply;
    if (this.#next !== undefined || this.#waiting.size === 0) return;
    if (this.#waiting.size + this.#outcomes.size < calls.length) return;
    this.#next = this.#ask();
    // The loop of the agent gets the fault where it waits for the reply. This handler only avoids an unhandled rejection.
    this.#next.catch(() => undefined);
  }

  async #ask(): Promise<RecordedReply> {
    const { turn, ask } = this.#scope;
    try {
      turn.record.put(this.#sentKey, true);
      await turn.tape.flush();
      const { answered } = this;
      this.#hasAsked = true;
      const reply = await ask(answered, (call) => this.#take(call));
      this.#endWaiting(() => new Error('the provider did not make the call'));
      return reply;
    } catch (error) {
      this.#endWaiting(() => new ToolInterrupted('the reply of the provider broke off'));
      throw error;
    }
  }

  /** Gives the end of an approved call to the waiting call. Returns false for any other call. */
  #take(call: HostedCall): boolean {
    const waiting = [...this.#waiting.values()].find((candidate) => isOf(call, candidate.call));
    if (waiting === undefined) return false;
    this.#waiting.delete(waiting.call.callId);
    const { output = '', status } = call;
    if (status === 'succeeded') waiting.done.resolve({ value: output });
    else waiting.done.reject(new Error(output === '' ? 'the provider names no reason' : output));
    return true;
  }

  #endWaiting(fault: () => Error): void {
    for (const { done } of this.#waiting.values()) done.reject(fault());
    this.#waiting.clear();
  }
}

/**
 * Whether a call of the provider answers an approval. A provider may name the request of the call. If it does not, server, tool and
 * arguments must be the same.
 */
function isOf(
  { approvalId, target, arguments: written = '' }: HostedCall,
  { hosted, arguments: asked }: ToolCall,
): boolean {
  if (hosted === undefined || target.kind !== 'mcp') return false;
  if (approvalId !== undefined) return approvalId === hosted.id;
  return target.server === hosted.server && target.name === hosted.tool && written === asked;
}
