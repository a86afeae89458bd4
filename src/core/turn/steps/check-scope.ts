import { coordinatorName } from '../../agents/coordinator-name.ts';
import { TurnError } from '../../errors/turn-error.ts';
import type { InputGate } from '../../guardrails/input-gate.ts';
import { isOutOfScope } from '../../guardrails/scope-check.ts';
import { readerOf } from '../../identity/may-read.ts';
import { tenantOf } from '../../identity/principal.ts';
import { errorText } from '../../language/texts.ts';
import type { ChatMessage } from '../../ports/chat-model.ts';
import type { StepRecord } from '../../record/step-record.ts';
import type { LiveTurn } from '../live/live-turn.ts';
import { sayText } from '../../record/say-text.ts';
import type { TurnServices } from '../live/turn-services.ts';

const key = 'guard/scope';

/** The step that tells the user why the message was turned away. */
const answerKey = 'guard/scope/answer';

/**
 * Begins to ask whether a message is out of scope, at the same time as the look-ups (contract/guardrails.md#scope). The promise goes to
 * `keepInScope`. Undefined where scope is not checked, and for a turn that continues from a record and has already said something.
 */
export function askScope(turn: LiveTurn, text: string, services: TurnServices): Promise<boolean> | undefined {
  const { record, signal, options, principal } = turn;
  const { scope, calls } = services;
  if (scope === undefined && !record.has(key)) return undefined;
  if (record.isReplay && !record.has(key) && record.hasBelow(`${coordinatorName}/`)) return undefined;
  const check = async (): Promise<boolean> => {
    turn.requireRunning();
    if (scope === undefined) return false;
    const tools = services.toolbox().of(readerOf(principal)).declarations;
    const message = { text, earlier: options.recentWords, tools, tenant: tenantOf(principal) };
    const classifier = scope.classifier.for(turn.spender);
    return isOutOfScope(message, { ...scope, classifier }, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      calls.metrics.of(message.tenant).guardrailFailed('scope');
      calls.log.warn({ error }, 'nobody could say whether a message has to do with the application: it is answered');
      return false;
    });
  };
  const asked = record.step(key, check, { kind: 'guardrail', guardrail: 'scope' });
  // A caller that awaits the promise later still gets the fault. This handler only avoids an unhandled rejection.
  asked.catch(() => undefined);
  return asked;
}

/**
 * Politely turns away a message that is out of scope, once the message has passed its own check.
 * @throws TurnError `out_of_scope`; what the gate throws; TurnStopped after a Stop.
 */
export async function keepInScope(
  asked: Promise<boolean>,
  { turn, gate, services }: { turn: LiveTurn; gate: InputGate | undefined; services: TurnServices },
): Promise<void> {
  if (!(await asked)) return;
  await gate?.passed;
  await sayText(turn, answerKey, { text: errorText(services.calls.texts, 'out_of_scope') });
  throw new TurnError('refused', 'out_of_scope', 'the message has nothing to do with the application');
}

/** The answer to a message that was turned away; undefined when the message was not turned away. */
export function scopeAnswer(record: Pick<StepRecord, 'get'>): ChatMessage | undefined {
  const text = record.get(answerKey) as string | undefined; // recorded by `keepInScope`
  return text === undefined ? undefined : { role: 'assistant', text, toolCalls: [], origin: 'operator' };
}
