import { type Compaction, compactHistory } from '../../history/compact-history.ts';
import { type Cut, turnStarts } from '../../history/cut.ts';
import { sumUp } from '../../history/history-summary.ts';
import { tenantOf } from '../../identity/principal.ts';
import type { ChatMessage } from '../../ports/chat-model.ts';
import type { HistorySummary, KeptMessage } from '../../request/kept-message.ts';
import type { LiveTurn } from '../live/live-turn.ts';
import { historyBefore } from './reduced-history.ts';
import type { TurnServices } from '../live/turn-services.ts';

const key = 'history/summary';

/** How the conversation before a turn is cut, and the summary of the messages that are left out. Recorded as JSON. */
export interface SummedHistory {
  readonly cut: Cut;
  readonly summary?: HistorySummary | undefined;
  /** Whether this turn has made the summary. A new summary is kept beside the first message that stays. */
  readonly isNew: boolean;
}

/**
 * Cuts the conversation before this turn, and sums up the messages that are left out (contract/sessions.md#summaries). Undefined where
 * summaries are off. A turn that continues from a record keeps its recorded cut and summary.
 * @throws TurnStopped after a Stop.
 */
export function sumUpOnce(turn: LiveTurn, services: TurnServices): Promise<unknown> | undefined {
  const { record, options } = turn;
  const { summaries, compaction } = services.history ?? {};
  const isOff = summaries === undefined || compaction === undefined || options.history.length === 0;
  if (!record.has(key) && (isOff || record.isReplay)) return undefined;
  return record.step(key, async (): Promise<SummedHistory> => {
    turn.requireRunning();
    return summed(historyBefore(turn), turn, services);
  });
}

/** What `sumUpOnce` has recorded; undefined where summaries are off. */
export function summedBy({ record }: Pick<LiveTurn, 'record'>): SummedHistory | undefined {
  return record.get(key) as SummedHistory | undefined; // recorded by `sumUpOnce`
}

/** The summary that this turn has made, and the index of the message before which the summary stands. Undefined where it has made none. */
export function newSummary(
  turn: Pick<LiveTurn, 'record'>,
): { readonly index: number; readonly summary: HistorySummary } | undefined {
  const { cut, summary, isNew = false } = summedBy(turn) ?? {};
  return isNew && cut !== undefined && summary !== undefined ? { index: cut.from, summary } : undefined;
}

async function summed(history: readonly KeptMessage[], turn: LiveTurn, services: TurnServices): Promise<SummedHistory> {
  const { signal, principal } = turn;
  const { summaries, compaction, estimates } = services.history ?? {};
  const classifier = summaries?.for(turn.spender);
  if (classifier === undefined || compaction === undefined || estimates === undefined)
    return { cut: { from: 0, collapsedTo: 0 }, isNew: false };
  const known = Math.max(
    0,
    history.findLastIndex(({ before }) => before !== undefined),
  );
  const before = history[known]?.before;
  const rest = history.slice(known).map(({ message }) => message);
  const tokensOf = (message: ChatMessage): number => estimates.ofMessage(message);
  const beside = before === undefined ? 0 : tokensOf({ role: 'user', text: before.text });
  const threshold = Math.max(0, compaction.threshold / estimates.factor(services.model.model) - beside);
  const { from, collapsedTo } = cutOnce(rest, { ...compaction, threshold }, tokensOf);
  const cut = { from: known + from, collapsedTo: known + collapsedTo };
  const asBefore = { cut, isNew: false, ...(before === undefined ? {} : { summary: before }) };
  if (from === 0) return asBefore;
  try {
    const tenant = tenantOf(principal);
    const summary = await sumUp(rest.slice(0, from), { before, classifier, signal, tenant });
    if (summary !== undefined) return { cut, summary, isNew: true };
  } catch (error) {
    signal.throwIfAborted();
    services.calls.log.warn({ error }, 'a conversation is sent without a summary of its beginning this time');
  }
  return asBefore;
}

/** Leaves all older turns out at once, so that not every message costs a summary. */
function cutOnce(
  messages: readonly ChatMessage[],
  compaction: Compaction,
  tokensOf: (message: ChatMessage) => number,
): Cut {
  const cut = compactHistory(messages, compaction, tokensOf);
  const recent = turnStarts(messages).at(-compaction.maxTurns) ?? 0;
  return cut.from === 0 ? cut : { ...cut, from: Math.max(cut.from, recent) };
}
