import type { Influence } from '../events/turn-event.ts';
import type { Spending } from '../budgets/spending.ts';
import { randomId } from '../base/random-id.ts';
import { TurnError } from '../errors/turn-error.ts';
import { tenantOf } from '../identity/principal.ts';
import { mendedText, mendedWords } from '../tools/mend-arguments.ts';
import { toolUser } from '../tools/tool-user.ts';
import type { AskingTurn, ChatMessage, ModelReply, ModelRequest, ReadFlow, ReplySink } from '../ports/chat-model.ts';
import { ContextExceeded } from '../ports/context-exceeded.ts';
import type { CallServices, TurnScope } from '../calls/call-scope.ts';
import type { ToolCall } from '../calls/tool-call.ts';
import { isHeld } from '../guardrails/held-reply.ts';
import type { InputGate } from '../guardrails/input-gate.ts';
import { influencedMember, influencesOf, joinInfluences } from '../provenance/influences.ts';
import type { Agent } from './agent.ts';
import { HostedReading, type HostedScope } from './hosted/hosted-reading.ts';
import { reserveCall } from './paid-reply.ts';
import { coordinatorName } from './coordinator-name.ts';
import { putHalf, type RecordedReply } from './recorded-reply.ts';

/** How one reply of an agent is asked for. */
interface ReplyScope extends AgentScope {
  readonly services: CallServices;
  readonly toolChoice: ModelRequest['toolChoice'];
  /** Takes the end of a call. Returns whether the call was one that somebody has approved. Left out, nobody has approved any call. */
  readonly isApproved?: HostedScope['isApproved'];
  /** `json`: the instructions ask for one JSON object. */
  readonly format?: ModelRequest['format'];
}

/** The turn in which an agent speaks, and the keys of its steps. */
export interface AgentScope {
  readonly turn: TurnScope & { readonly flow: ReadFlow; requireRunning(): void };
  /** All keys of the agent in the record begin with this path. */
  readonly path: string;
  /** Decides whether the message of the turn may have any effect; left out, it may. */
  readonly gate?: InputGate | undefined;
  /** Asked before each call for what charges the call to budgets. Left out, or undefined: there are no budgets. */
  readonly spending?: (() => Spending | undefined) | undefined;
  /** The user is not shown the text while it is read. Left out, the user is. */
  readonly isSilent?: boolean | undefined;
  /** Called when the agent begins to speak. MAY be called several times. */
  readonly onSpeaking?: (() => void) | undefined;
}

/** The record of a turn has calls, but lacks the reply that asked for them. */
export class RecordGap extends Error {
  override readonly name = 'RecordGap';
}

/**
 * Asks the model for one reply. Its calls get ids of this server. Its text goes to the user while it is read.
 * @throws what the gate and `reserveCall` throw; ModelError from the model; TurnError `model_refused`, `tool_loop_limit` and
 * `message_too_long`; TurnStopped after a Stop.
 */
export async function askModel(
  agent: Agent,
  messages: readonly ChatMessage[],
  scope: ReplyScope,
): Promise<RecordedReply> {
  const { turn, path, gate, spending, services, toolChoice, isApproved } = scope;
  const isLastRound = toolChoice === 'none';
  const { record, events } = turn;
  const key = `${path}/model`;
  // The record has calls but lacks the reply that asked for them. A reply of the model now would not be the one before
  // those calls.
  if (record.isReplay && !record.has(key) && record.hasBelow(`${path}/call/`))
    throw new RecordGap(`the record lacks ${key}`);
  const reply = await record.step(key, async (): Promise<RecordedReply> => {
    turn.requireRunning();
    const request: ModelRequest = {
      instructions: agent.instructions,
      messages,
      tools: agent.offered?.declarations(agent.toolbox, messages) ?? agent.toolbox.declarations,
      hosted: agent.hosted?.offer,
      toolChoice,
      signal: gate?.signal ?? turn.signal,
      flow: turn.flow,
      tenant: tenantOf(turn.request.caller.principal),
      turn: agent.foreign && askingTurn(turn),
      format: scope.format,
    };
    // The provider sends questions to its tools, outside this server, and a foreign agent may act at once, so the message must pass its
    // check first. The wait stands before `reserveCall`, so that no budget is held for a call that is never made.
    if (agent.hosted !== undefined || agent.foreign !== undefined) await gate?.passed;
    const { model } = agent;
    const paying = spending?.();
    const paid = paying && (await reserveCall(`budget/${path}`, { model, request }, { turn, spending: paying }));
    const shown = showing(agent, key, scope);
    const screen = gate === undefined ? shown : held(shown, gate);
    const offered = agent.toolbox.influences;
    const reading = hostedReading(agent, { turn, services, path, messages, isApproved }, screen);
    try {
      const sink = withThought(reading?.sink ?? screen, agent, { ...scope, key });
      const reply = await (paid === undefined ? model.run(request, sink) : paid(sink));
      await gate?.passed;
      const { toolCalls, ...said } = reading?.ended(reply) ?? withoutHosted(reply);
      const calls = toolCalls.map(({ id: _, ...call }) => mended({ callId: randomId(), ...call }, agent, services));
      events.settle();
      const recorded = {
        ...said,
        ...(scope.isSilent === true || agent.name === coordinatorName ? {} : { speaker: agent.name }),
        ...influencedMember(joinInfluences(offered, readBy(agent, messages, reading))),
      };
      return isLastRound ? { ...recorded, calls: [], dropped: calls.length } : { ...recorded, calls, dropped: 0 };
    } catch (error) {
      reading?.brokeOff();
      const half = scope.isSilent === true ? '' : events.replyText().trim();
      if (half !== '')
        putHalf(record, path, {
          text: half,
          influencedBy: joinInfluences(offered, readBy(agent, messages, reading)),
        });
      throw error instanceof ContextExceeded ? tooLong(error, messages) : error;
    }
  });
  checkReply(reply);
  return reply;
}

/** What an agent in place of a model may know of the turn in which it is asked. */
function askingTurn({ id, conversationId, request: { caller, channel, page } }: AgentScope['turn']): AskingTurn {
  return { id, conversationId, user: toolUser(caller.principal), channel: channel.name, page };
}

/** The untrusted texts behind what an agent says. */
function readBy(
  { foreign }: Agent,
  messages: readonly ChatMessage[],
  reading: HostedReading | undefined,
): readonly Influence[] {
  return joinInfluences(influencesOf(messages), reading?.influences ?? [], foreign?.influences ?? []);
}

/** What reads the reply of an agent that uses tools of its provider. Undefined for any other agent. */
function hostedReading(
  { hosted: use, name, instructions }: Agent,
  { messages, ...scope }: Omit<HostedScope, 'use' | 'agent' | 'sent'> & { readonly messages: readonly ChatMessage[] },
  shown: ShownReply,
): HostedReading | undefined {
  return use && new HostedReading({ ...scope, use, agent: name, sent: { instructions, messages } }, shown);
}

/** Shows a reply while it is read. */
type ShownReply = Required<Pick<ReplySink, 'text' | 'takeBack'>>;

/** Shows the text of a reply while it is read. Nothing is shown of a silent agent, and of a reply that is held. */
function showing(
  { name }: Agent,
  key: string,
  { turn, isSilent, onSpeaking }: Pick<ReplyScope, 'turn' | 'isSilent' | 'onSpeaking'>,
): ShownReply {
  if (isSilent === true || isHeld(turn.record)) return { text: unheard, takeBack: unheard };
  const { events } = turn;
  let speak = events.speak(key, name);
  return {
    text: (escaped) => {
      onSpeaking?.();
      speak(escaped);
    },
    takeBack: () => {
      events.takeBackReply(key, `${key}/unsaid/${String(events.log.lastSeq)}`);
      speak = events.speak(key, name);
    },
  };
}

/**
 * Adds the place for the thought of the model. Nobody sees a thought where something may still be taken out of the reply, or the reply be
 * taken back: what a check removes must not stand in the thought.
 */
function withThought(
  sink: ReplySink,
  { name, hosted: use }: Agent,
  {
    turn,
    key,
    gate,
    services,
    isSilent,
  }: Pick<ReplyScope, 'turn' | 'gate' | 'services' | 'isSilent'> & { key: string },
): ReplySink {
  const isLinked = use !== undefined && use.linkDomains.length > 0;
  if (isSilent === true || isLinked || services.replacesReplies === true || isHeld(turn.record)) return sink;
  const tell = (text: string): void => {
    turn.events.once(`${key}/thought`, { type: 'thought-ready', text, agent: name });
  };
  return { ...sink, thought: gate?.holding(tell) ?? tell };
}

/** Holds a reply until the message may pass. */
function held({ text, takeBack }: ShownReply, gate: InputGate): ShownReply {
  const take = gate.holding((piece: string | undefined) => {
    if (piece === undefined) takeBack();
    else text(piece);
  });
  return {
    text: take,
    takeBack: () => {
      take(undefined);
    },
  };
}

/** A call with arguments that are mended where they are nearly right, so that everybody from here on sees what runs. */
function mended(call: ToolCall, { toolbox }: Pick<Agent, 'toolbox'>, { log }: Pick<CallServices, 'log'>): ToolCall {
  const tool = call.hosted === undefined ? toolbox.find(call.name) : undefined;
  const better = tool && mendedText(tool, call.arguments);
  if (better === undefined) return call;
  log.debug({ tool: call.name, callId: call.callId, mended: better.mended }, mendedWords);
  return { ...call, arguments: better.text };
}

/** Drops `hosted` from the reply: a model that is offered no tools of its provider has used none. */
function withoutHosted({ hosted: _, ...reply }: ModelReply): Omit<ModelReply, 'hosted'> {
  return reply;
}

/** Ignores the text of a held reply while it is read. The model gives the whole text again at the end of the reply. */
function unheard(): void {}

/** A user can shorten a message that does not fit. A user cannot shorten results of tools that do not fit. */
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
