import { coordinatorName } from '../../agents/coordinator-name.ts';
import { checkText } from '../../guardrails/check-text.ts';
import { InputGate } from '../../guardrails/input-gate.ts';
import type { Verdict } from '../../guardrails/text-check.ts';
import { tenantOf } from '../../identity/principal.ts';
import type { LiveTurn } from '../live/live-turn.ts';
import type { TurnServices } from '../live/turn-services.ts';

const key = 'guard/message';

/**
 * Begins to check the message of a turn with the page and the form that come with it, at the same time as the other work (contract/guardrails.md#messages). Undefined where messages are
 * not checked. A turn that continues from a record keeps its verdict. If it has said something but has no verdict, it began without a check
 * and continues without one.
 */
export function guardMessage(turn: LiveTurn, text: string, services: TurnServices): InputGate | undefined {
  const { record, signal } = turn;
  const guard = services.guards?.input();
  if (guard === undefined && !record.has(key)) return undefined;
  if (record.isReplay && !record.has(key) && record.hasBelow(`${coordinatorName}/`)) return undefined;
  const { log, metrics } = services.calls;
  const who = { tenant: tenantOf(turn.principal), spender: turn.spender };
  const message = { direction: 'input', text, ...who } as const;
  const check = async (): Promise<Verdict> => {
    turn.requireRunning();
    if (guard === undefined) return 'safe';
    const given = await checkText(message, guard, { signal, log });
    if (given === 'none') metrics.of(who.tenant).guardrailFailed('input');
    return given;
  };
  const verdict = record.step(key, check, { kind: 'guardrail', guardrail: 'input' });
  return new InputGate(verdict, guard?.onFailure ?? 'Allow', signal);
}
