import { type Mock, vi } from 'vitest';
import { StepRefused } from '../../../src/core/ports/step-refused.ts';
import type { SharedTurns } from '../../../src/core/ports/turn-store.ts';
import { memoryStores } from '../memory-stores.ts';

type Stores = ReturnType<typeof memoryStores>;

export interface SharedMemoryStores extends Stores {
  readonly shared: SharedTurns;
  /** The attempts to answer a question. */
  readonly answered: Mock<Stores['journal']['answered']>;
  /** Says that this replica is heard again. */
  readonly heardAgain: () => void;
}

/**
 * Stores in memory that other replicas share, as one replica sees them. Turns that another one has claimed are fenced, as PostgreSQL does it.
 * `others`: the other living replicas.
 */
export function sharedMemoryStores(others: readonly string[] = []): SharedMemoryStores {
  const stores = memoryStores();
  const { journal, turns } = stores;
  const listeners: (() => void)[] = [];
  const shared: SharedTurns = {
    free: () => Promise.resolve([]),
    stateOf: () => Promise.resolve(undefined),
    lost: async (holds) => {
      const found = await Promise.all(holds.map(async (hold) => ({ hold, kept: await turns.read(hold.turnId) })));
      return found.filter(({ hold, kept }) => kept?.epoch !== hold.epoch).map(({ hold }) => hold.turnId);
    },
    onHeardAgain: (listener) => void listeners.push(listener),
    others: () => Promise.resolve(others),
    release: () => Promise.resolve(),
  };
  Object.assign(turns, { shared });
  const store = journal.answered.bind(journal);
  const answered = vi.fn<typeof store>(async (actionId, answer, at) => {
    const row = await journal.find(actionId);
    if (((await turns.read(row?.turnId ?? ''))?.epoch ?? 1) > 1) throw new StepRefused('it is in other hands');
    await store(actionId, answer, at);
  });
  journal.answered = answered;
  return {
    ...stores,
    shared,
    answered,
    heardAgain: () => {
      for (const listener of listeners) listener();
    },
  };
}
