import { coordinatorName } from '../../agents/coordinator-name.ts';
import { tenantOf } from '../../identity/principal.ts';
import type { ChatModel } from '../../ports/chat-model.ts';
import { type Choice, chooseModel } from '../../routing/choose-model.ts';
import { isCascading } from './cascade.ts';
import type { LiveTurn } from '../live/live-turn.ts';
import { historyBefore } from '../conversation/reduced-history.ts';
import type { TurnServices } from '../live/turn-services.ts';

const key = 'route';

/**
 * The model that is named at the start of a turn (contract/models.md#routing). Undefined while somebody is still to be asked which model
 * answers.
 */
export function modelAtStart(turn: LiveTurn, services: TurnServices): ChatModel | undefined {
  const { record, request } = turn;
  const { model, routing } = services;
  if (routing === undefined) return model;
  if (isCascading(turn, services)) return undefined;
  const decide = routing.router.now;
  if (decide === undefined) return record.has(key) || keepsUsual(turn) ? routedModel(turn, services) : undefined;
  if (record.isReplay && !record.has(key)) return model;
  const choice = record.now(key, (): Choice => (decide(request.message.text) ? 'strong' : 'usual'));
  return choice === 'strong' ? routing.strong : model;
}

/**
 * Begins to ask which model answers, at the same time as the look-ups. Undefined where the router decides by itself, or where there is
 * none. A turn that continues from a record keeps its recorded model. If it has said something but has no recorded model, it keeps the
 * usual one.
 */
export function routeBeside(turn: LiveTurn, text: string, services: TurnServices): Promise<unknown> | undefined {
  const { record, signal, principal } = turn;
  const { routing, calls } = services;
  if (routing === undefined || routing.router.now !== undefined || isCascading(turn, services)) return undefined;
  if (keepsUsual(turn)) return undefined;
  const asked = record.step(key, async (): Promise<Choice> => {
    turn.requireRunning();
    const before = historyBefore(turn).map(({ message }) => message);
    const message = { text, before, tenant: tenantOf(principal), spender: turn.spender };
    return chooseModel(message, routing.router, { signal, log: calls.log });
  });
  // A caller that awaits the promise later still gets the fault. This handler only avoids an unhandled rejection.
  asked.catch(() => undefined);
  return asked;
}

/** Whether the turn continues from a record in which the coordinator has spoken without a choice of its model. */
function keepsUsual({ record }: LiveTurn): boolean {
  return record.isReplay && !record.has(key) && record.hasBelow(`${coordinatorName}/`);
}

/** The model that answers. MUST be called after the promise of `routeBeside` has settled. */
export function routedModel({ record }: Pick<LiveTurn, 'record'>, { model, routing }: TurnServices): ChatModel {
  return routing !== undefined && record.get(key) === 'strong' ? routing.strong : model;
}
