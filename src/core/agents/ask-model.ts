import { randomId } from '../base/random-id.ts';
import { TurnError } from '../errors/turn-error.ts';
import { tenantOf } from '../identity/principal.ts';
import type { ChatMessage, ReadFlow } from '../ports/chat-model.ts';
import { ContextExceeded } from '../ports/context-exceeded.ts';
import type { TurnScope } from '../calls/call-scope.ts';
import { isHeld } from '../guardrails/held-reply.ts';
import type { InputGate } from '../guardrails/input-gate.ts';
import type { Agent } from './agent.ts';
import type { RecordedReply } from './recorded-reply.ts';

/** Where an agent speaks: in which turn, under which keys. */
export interface AgentScope {
  readonly turn: TurnScope & { readonly flow: ReadFlow; requireRunning(): void };
  /** The beginning of all its keys. */
  readonly path: string;
  /** Decides whether anything may come of the turn's message; left out, it may. */
  readonly gate?: InputGate | undefined;
}

/**
 * One reply of a model, its calls under our own ids; text goes to the user as it is read.
 * @throws what the gate throws; ModelError from the model; TurnError `model_refused`, `tool_loop_limit` and `message_too_long`; TurnStopped after a Stop.
 */
export async function askModel(
  agent: Agent,
  messages: readonly ChatMessage[],
  { turn, path, gate, isLastRound }: AgentScope & { readonly isLastRound: boolean },
): Promise<RecordedReply> {
  const { record, events } = turn;
  const key = `${path}/model`;
  // The record has calls but lacks the reply that asked for them. A reply of the model now would not be the one before
  // those calls.
  if (record.isReplay && !record.has(key) && record.hasBelow(`${path}/call/`))
    throw new Error(`the record lacks ${key}`);
  const reply = await record.step(key, async (): Promise<RecordedReply> => {
    turn.requireRunning();
    const shown = isHeld(record) ? unheard : events.speak(key);
    const text = gate?.holding(shown) ?? shown;
    try {
      const { toolCalls, ...said } = await agent.model.run(
        {
          instructions: agent.instructions,
          messages,
          tools: agent.offered?.declarations(agent.toolbox, messages) ?? agent.toolbox.declarations,
          toolChoice: isLastRound ? 'none' : 'auto',
          signal: gate === undefined ? turn.signal : AbortSignal.any([turn.signal, gate.signal]),
          flow: turn.flow,
          tenant: tenantOf(turn.request.caller.principal),
        },
        { text },
      );
      await gate?.passed;
      const calls = toolCalls.map(({ name, arguments: written }) => ({ callId: randomId(), name, arguments: written }));
      events.settle();
      return isLastRound ? { ...said, calls: [], dropped: calls.length } : { ...said, calls, dropped: 0 };
    } catch (error) {
      const half = events.replyText().trim();
      if (half !== '') record.put(`${path}/half`, half);
      throw error instanceof ContextExceeded ? tooLong(error, messages) : error;
    }
  });
  checkReply(reply);
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
