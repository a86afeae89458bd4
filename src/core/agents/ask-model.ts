import type { Spending } from '../budgets/spending.ts';
import { randomId } from '../base/random-id.ts';
import { TurnError } from '../errors/turn-error.ts';
import { tenantOf } from '../identity/principal.ts';
import type { ChatMessage, ModelReply, ModelRequest, ReadFlow } from '../ports/chat-model.ts';
import { ContextExceeded } from '../ports/context-exceeded.ts';
import type { CallServices, TurnScope } from '../calls/call-scope.ts';
import { isHeld } from '../guardrails/held-reply.ts';
import type { InputGate } from '../guardrails/input-gate.ts';
import { influencedMember, influencesOf, joinInfluences } from '../provenance/influences.ts';
import type { Agent } from './agent.ts';
import { HostedReading, type HostedScope } from './hosted/hosted-reading.ts';
import { reserveCall } from './paid-reply.ts';
import { putHalf, type RecordedReply } from './recorded-reply.ts';

/** How one reply of an agent is asked for. */
interface ReplyScope extends AgentScope {
  readonly services: CallServices;
  readonly toolChoice: ModelRequest['toolChoice'];
  /** Takes a call of the provider that somebody has approved. Left out, nobody has approved any. */
  readonly isApproved?: HostedScope['isApproved'];
}

/** Where an agent speaks: in which turn, under which keys. */
export interface AgentScope {
  readonly turn: TurnScope & { readonly flow: ReadFlow; requireRunning(): void };
  /** The beginning of all its keys. */
  readonly path: string;
  /** Decides whether anything may come of the turn's message; left out, it may. */
  readonly gate?: InputGate | undefined;
  /** Asked before each call: what makes it out of budgets. Left out, or undefined, there are none. */
  readonly spending?: (() => Spending | undefined) | undefined;
}

/**
 * One reply of a model, its calls under our own ids; text goes to the user as it is read.
 * @throws what the gate throws, and `reserveCall`; ModelError from the model; TurnError `model_refused`, `tool_loop_limit` and `message_too_long`; TurnStopped after a Stop.
 */
export async function askModel(
  agent: Agent,
  messages: readonly ChatMessage[],
  { turn, path, gate, spending, services, toolChoice, isApproved }: ReplyScope,
): Promise<RecordedReply> {
  const isLastRound = toolChoice === 'none';
  const { record, events } = turn;
  const key = `${path}/model`;
  // The record has calls but lacks the reply that asked for them. A reply of the model now would not be the one before
  // those calls.
  if (record.isReplay && !record.has(key) && record.hasBelow(`${path}/call/`))
    throw new Error(`the record lacks ${key}`);
  const reply = await record.step(key, async (): Promise<RecordedReply> => {
    turn.requireRunning();
    const request: ModelRequest = {
      instructions: agent.instructions,
      messages,
      tools: agent.offered?.declarations(agent.toolbox, messages) ?? agent.toolbox.declarations,
      hosted: agent.hosted?.offer,
      toolChoice,
      signal: gate === undefined ? turn.signal : AbortSignal.any([turn.signal, gate.signal]),
      flow: turn.flow,
      tenant: tenantOf(turn.request.caller.principal),
    };
    const { model } = agent;
    const paying = spending?.();
    const paid = paying && (await reserveCall(`budget/${path}`, { model, request }, { turn, spending: paying }));
    const shown = isHeld(record) ? unheard : events.speak(key);
    const text = gate?.holding(shown) ?? shown;
    // What the provider's tools are asked leaves the house.
    if (agent.hosted !== undefined) await gate?.passed;
    const reading = hostedReading(agent, { turn, services, path, messages, isApproved }, text);
    try {
      const sink = reading?.sink ?? { text };
      const reply = await (paid === undefined ? model.run(request, sink) : paid(sink));
      await gate?.passed;
      const { toolCalls, ...said } = reading?.ended(reply) ?? withoutHosted(reply);
      const calls = toolCalls.map(({ id: _, ...call }) => ({ callId: randomId(), ...call }));
      events.settle();
      const recorded = {
        ...said,
        ...influencedMember(joinInfluences(influencesOf(messages), reading?.influences ?? [])),
      };
      return isLastRound ? { ...recorded, calls: [], dropped: calls.length } : { ...recorded, calls, dropped: 0 };
    } catch (error) {
      reading?.brokeOff();
      const half = events.replyText().trim();
      if (half !== '')
        putHalf(record, path, {
          text: half,
          influencedBy: joinInfluences(influencesOf(messages), reading?.influences ?? []),
        });
      throw error instanceof ContextExceeded ? tooLong(error, messages) : error;
    }
  });
  checkReply(reply);
  return reply;
}

/** Undefined where the provider has no tools of its own. */
function hostedReading(
  { hosted: use, name, instructions }: Agent,
  { messages, ...scope }: Omit<HostedScope, 'use' | 'agent' | 'sent'> & { readonly messages: readonly ChatMessage[] },
  text: (escaped: string) => void,
): HostedReading | undefined {
  return use && new HostedReading({ ...scope, use, agent: name, sent: { instructions, messages } }, text);
}

/** A model that is offered no tools of its provider has used none. */
function withoutHosted({ hosted: _, ...reply }: ModelReply): Omit<ModelReply, 'hosted'> {
  return reply;
}

/** Takes the text of a reply that is held: it is in what the model gives at its end, too. */
function unheard(): void {}

/** A message that does not fit is its user's to shorten. Results of tools that do not fit are not. */
function tooLong(cause: ContextExceeded, messages: readonly ChatMessage[]): TurnError {
  if (messages.at(-1)?.role === 'tool') return new TurnError('failed', 'tool_loop_limit', cause.message, { cause });
  return new TurnError('refused', 'message_too_long', cause.message, { cause, isOverWindow: true });
}

function checkReply({ finish, text, dropped }: RecordedReply): void {
  if (finish === 'content-filter' && text === '') {
    throw new TurnError('failed', 'model_refused', 'the provider withheld the reply');
  }
  if (text === '' && dropped > 0) {
    throw new TurnError('failed', 'tool_loop_limit', 'the model kept calling tools after its last round');
  }
}
