import { compactHistory } from '../../history/compact-history.ts';
import { type Cut, withCut } from '../../history/cut.ts';
import { summaryPart } from '../../history/history-summary.ts';
import type { ChatMessage } from '../../ports/chat-model.ts';
import type { HistorySummary } from '../../request/kept-message.ts';
import { withNotes } from '../../prompt/with-notes.ts';
import { beside } from '../../prompt/user-message.ts';
import type { LiveTurn } from '../live/live-turn.ts';
import { historyBefore } from './reduced-history.ts';
import { summedBy } from './summed-history.ts';
import type { TurnServices } from '../live/turn-services.ts';

const cutKey = 'prompt/history';

/**
 * The conversation before this turn, as it is sent to the model (contract/sessions.md#compaction). The kept conversation stays whole. The
 * cut is recorded, so that every round of the turn and every process that continues it send the same history.
 */
export function sentHistory(turn: LiveTurn, services: TurnServices): readonly ChatMessage[] {
  return withNotes(cutHistory(turn, services));
}

function cutHistory(turn: LiveTurn, services: TurnServices): readonly ChatMessage[] {
  const { record } = turn;
  const history = historyBefore(turn).map(({ message }) => message);
  const summed = summedBy(turn);
  if (summed !== undefined) return behind(summed.summary, withCut(history, summed.cut));
  const { compaction, estimates } = services.history ?? {};
  if (!record.has(cutKey) && (compaction === undefined || estimates === undefined)) return history;
  const cut = record.now(cutKey, (): Cut => {
    if (compaction === undefined || estimates === undefined) return { from: 0, collapsedTo: 0 };
    const threshold = compaction.threshold / estimates.factor(services.model.model);
    return compactHistory(history, { ...compaction, threshold }, (message) => estimates.ofMessage(message));
  });
  return withCut(history, cut);
}

/** A summary stands in the first message that is sent, since what it sums up came before that. */
function behind(summary: HistorySummary | undefined, messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const [first, ...others] = messages;
  if (summary === undefined || first === undefined) return messages;
  const part = summaryPart(summary);
  if (first.role === 'user') return [beside(first, [part]), ...others];
  return [{ role: 'user', ...part }, ...messages];
}
