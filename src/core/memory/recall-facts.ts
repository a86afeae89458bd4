import { untilStopped } from '../base/until-stopped.ts';
import type { Logger } from '../ports/logger.ts';
import type { Fact, FactKind } from '../ports/memory-store.ts';
import type { Memory } from './memory.ts';

/** A fact as the model is shown it. */
export interface RecalledFact {
  readonly kind: FactKind;
  readonly text: string;
}

/** Milliseconds a message waits for the memory. */
const longestWaitMs = 2_000;

/** A user, and the message for which facts are recalled. */
export interface RecallQuestion {
  readonly userKey: string;
  /** What the user says. */
  readonly words: string;
  readonly signal: AbortSignal;
}

/**
 * The facts that a message is answered with: identity and preferences first, then the others (contract/memory.md#prompt). When the store
 * fails or is slow, that is logged, and the turn goes on without facts. @throws the signal's reason when the turn is stopped.
 */
export async function recallFacts(
  { userKey, words, signal }: RecallQuestion,
  { store, count, ranking, isFiltering }: Memory,
  log: Logger,
): Promise<readonly RecalledFact[]> {
  const limit = AbortSignal.timeout(longestWaitMs);
  const either = AbortSignal.any([signal, limit]);
  try {
    const facts = await untilStopped(store.facts(userKey), either);
    const own = facts.filter(({ kind }) => kind !== 'fact').toSorted(identityFirst);
    const isRanked = isFiltering && own.length < count;
    const ordered = isRanked ? await ranking.rank({ userKey, facts, text: words, signal: either }) : facts;
    const chosen = [...own, ...ordered.filter(({ kind }) => kind === 'fact')].slice(0, count);
    return chosen.map(({ kind, text }) => ({ kind, text }));
  } catch (error) {
    signal.throwIfAborted();
    const why = limit.aborted ? { reason: `no answer within ${String(longestWaitMs)} ms` } : { error };
    log.warn(why, 'a message is answered without what is remembered');
    return [];
  }
}

function identityFirst(one: Fact, other: Fact): number {
  return Number(other.kind === 'identity') - Number(one.kind === 'identity');
}
