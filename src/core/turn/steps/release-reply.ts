import { coordinatorName } from '../../agents/coordinator-name.ts';
import { type RecordedRound, spokenRounds } from '../../agents/spoken-rounds.ts';
import { TurnError } from '../../errors/turn-error.ts';
import { checkText } from '../../guardrails/check-text.ts';
import { heldKey, isHeld, releasedKey } from '../../guardrails/held-reply.ts';
import type { Verdict } from '../../guardrails/text-check.ts';
import { tenantOf } from '../../identity/principal.ts';
import type { LiveTurn } from '../live/live-turn.ts';
import { sayText } from '../../record/say-text.ts';
import { isCascading } from './cascade.ts';
import { isGrounded } from './honest-reply.ts';
import type { TurnServices } from '../live/turn-services.ts';

const verdictKey = 'guard/reply';

/**
 * Holds what this turn says until the whole reply is checked, where replies are checked (contract/guardrails.md#replies). A turn that
 * continues from a record, and has already said something without a check, continues without a check.
 */
export function holdReply(turn: LiveTurn, services: TurnServices): void {
  const { record } = turn;
  // What a program has read cannot be taken back.
  const mustHold = services.guards?.output() !== undefined || isGrounded(turn, services) || isCascading(turn, services);
  if (isHeld(record) || !mustHold) return;
  if (record.isReplay && record.hasBelow(`${coordinatorName}/`)) return;
  record.put(heldKey, true);
}

/**
 * Checks a held reply as a whole, and then shows its texts and cards in their order.
 * @throws TurnError `reply_withheld`; TurnStopped after a Stop.
 */
export async function releaseReply(turn: LiveTurn, services: TurnServices): Promise<void> {
  const { record, signal } = turn;
  if (!isHeld(record)) return;
  const rounds = spokenRounds(record);
  const text = rounds
    .map(({ text: said }) => said)
    .filter((said) => said !== '')
    .join('\n\n');
  const guard = services.guards?.output();
  const check = async (): Promise<Verdict> => {
    turn.requireRunning();
    if (guard === undefined || text === '') return 'safe';
    const { log, metrics } = services.calls;
    const tenant = tenantOf(turn.principal);
    const given = await checkText({ direction: 'output', text, tenant, spender: turn.spender }, guard, { signal, log });
    if (given === 'none') metrics.of(tenant).guardrailFailed('output');
    return given;
  };
  const verdict = await record.step(verdictKey, check, { kind: 'guardrail', guardrail: 'output' });
  if (verdict === 'unsafe') throw withheld('a check found the reply unsafe');
  if (verdict === 'none' && guard?.onFailure === 'Block')
    throw withheld('no check could say whether the reply is safe', true);
  for (const round of rounds) await show(round, turn);
}

/** Shows one round. The round has its own key, so that a turn that continues from a record does not show it twice. */
async function show({ at, agent, text, shown }: RecordedRound, turn: LiveTurn): Promise<void> {
  await sayText(turn, releasedKey(at), { text, agent });
  for (const { key, event } of shown) turn.events.once(key, event);
}

function withheld(reason: string, retryable = false): TurnError {
  return new TurnError('refused', 'reply_withheld', reason, { retryable });
}
