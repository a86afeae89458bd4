import { compactHistory } from '../history/compact-history.ts';
import { type Cut, withCut } from '../history/cut.ts';
import type { ChatMessage } from '../ports/chat-model.ts';
import type { LiveTurn } from './live-turn.ts';
import { reducedBy } from './reduced-history.ts';
import type { TurnServices } from './turn-services.ts';

const cutKey = 'prompt/history';

/**
 * The conversation before this turn as the model is sent it (contract/sessions.md#compaction). What is kept of the conversation stays
 * whole. How it is cut is recorded: every round of the turn, and every process that goes on with it, sends the same.
 */
export function sentHistory({ record, options }: LiveTurn, services: TurnServices): readonly ChatMessage[] {
  const kept = options.history.map(({ message }) => message);
  const history = reducedBy({ record })?.flatMap((index) => kept[index] ?? []) ?? kept;
  const { compaction, estimates } = services.history ?? {};
  if (!record.has(cutKey) && (compaction === undefined || estimates === undefined)) return history;
  const cut = record.now(cutKey, (): Cut => {
    if (compaction === undefined || estimates === undefined) return { from: 0, collapsedTo: 0 };
    const threshold = compaction.threshold / estimates.factor(services.model.model);
    return compactHistory(history, { ...compaction, threshold }, (message) => estimates.ofMessage(message));
  });
  return withCut(history, cut);
}
