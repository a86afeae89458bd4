import type { ChatMessage } from '../ports/chat-model.ts';
import { type Cut, cutTo, turnStarts } from './cut.ts';

/** When what is sent of a history is shortened, and how far (contract/sessions.md#compaction). */
export interface Compaction {
  /** Most tokens of a history that is sent whole. */
  readonly threshold: number;
  /** How many of the last turns are shortened only when leaving out all others is not enough. */
  readonly maxTurns: number;
}

/**
 * How a history is shortened before it is sent. The results of tools of older turns collapse first, then these turns are left out. If
 * that is not enough, the same happens to the last `maxTurns` turns. The last turn always stays.
 */
export function compactHistory(
  history: readonly ChatMessage[],
  { threshold, maxTurns }: Compaction,
  tokensOf: (message: ChatMessage) => number,
): Cut {
  const starts = turnStarts(history);
  const recent = starts.at(-maxTurns) ?? 0;
  const stages = [
    { collapseTo: recent, dropTo: recent },
    { collapseTo: history.length, dropTo: starts.at(-1) ?? 0 },
  ];
  return cutTo(threshold, history, { stages, tokensOf }).cut;
}
