import { coordinatorName } from '../agents/coordinator-name.ts';
import { spenderOf } from '../agents/paid-reply.ts';
import { tenantOf } from '../identity/principal.ts';
import type { ChatModel } from '../ports/chat-model.ts';
import { type Choice, chooseModel } from '../routing/choose-model.ts';
import type { LiveTurn } from './live-turn.ts';
import { historyBefore } from './reduced-history.ts';
import type { TurnServices } from './turn-services.ts';

const key = 'route';

/**
 * The model that a turn is told to begin with: the one that answers, where that is decided without asking anybody; else the usual one
 * (contract/models.md#routing).
 */
export function modelAtStart({ record, request }: LiveTurn, { model, routing }: TurnServices): ChatModel {
  const decide = routing?.router.now;
  if (routing === undefined || decide === undefined) return model;
  if (record.isReplay && !record.has(key)) return model;
  const choice = record.now(key, (): Choice => (decide(request.message.text) ? 'strong' : 'usual'));
  return choice === 'strong' ? routing.strong : model;
}

/**
 * Begins to ask which model answers, beside what is looked up. Undefined where it is decided, or nobody asks. A turn that goes on keeps
 * its model, and one that has said something already the usual one.
 */
export function routeBeside(turn: LiveTurn, text: string, services: TurnServices): Promise<unknown> | undefined {
  const { record, signal, principal } = turn;
  const { routing, calls } = services;
  if (routing === undefined || routing.router.now !== undefined) return undefined;
  if (record.isReplay && !record.has(key) && record.hasBelow(`${coordinatorName}/`)) return undefined;
  const asked = record.step(key, async (): Promise<Choice> => {
    turn.requireRunning();
    const before = historyBefore(turn).map(({ message }) => message);
    const message = { text, before, tenant: tenantOf(principal), spender: spenderOf(turn) };
    return chooseModel(message, routing.router, { signal, log: calls.log });
  });
  // Whoever waits for it later hears of a fault then.
  asked.catch(() => undefined);
  return asked;
}

/** The model that answers, once what `routeBeside` has begun is over. */
export function routedModel({ record }: Pick<LiveTurn, 'record'>, { model, routing }: TurnServices): ChatModel {
  return routing !== undefined && record.get(key) === 'strong' ? routing.strong : model;
}
