import { setImmediate as nextLoop } from 'node:timers/promises';
import type { Stores } from '../../../src/adapters/stores/stores.ts';

/** What a server writes down, one after the other. */
export const durableSteps = ['requested', 'save', 'answered', 'executing', 'done', 'retried', 'delete'] as const;
export type DurableStep = (typeof durableSteps)[number];
export interface Death {
  readonly step: DurableStep;
  readonly when: 'before' | 'after';
}

/** What decides over the life of a process. */
export interface Mortality {
  readonly isDead: boolean;
  /** Loops that the next step takes before it and after it. */
  slowness(): number;
  /** Counts a step as under way. */
  during(write: () => Promise<void>): Promise<void>;
  /** The process dies here when this is where it was to die. */
  passes(step: DurableStep, when: 'before' | 'after'): void;
}

/** The stores of one process, slow as the schedule says; those of a dead process take nothing and tell nothing. */
export function mortalStores(stores: Stores, life: Mortality): Stores {
  const check = (): void => {
    if (life.isDead) throw new Error('this process is dead');
  };
  const pass = async (name: DurableStep, write: () => Promise<void>): Promise<void> => {
    for (let loop = life.slowness(); loop > 0; loop -= 1) await nextLoop();
    check();
    life.passes(name, 'before');
    check();
    await write();
    check();
    life.passes(name, 'after');
    check();
    for (let loop = life.slowness(); loop > 0; loop -= 1) await nextLoop();
    check();
  };
  const step = (name: DurableStep, write: () => Promise<void>): Promise<void> => life.during(() => pass(name, write));
  const read = async <Result>(find: () => Promise<Result>): Promise<Result> => {
    check();
    return find();
  };
  const { journal, suspendedTurns } = stores;
  return {
    journal: {
      requested: (entry) => step('requested', () => journal.requested(entry)),
      answered: (id, answer, at) => step('answered', () => journal.answered(id, answer, at)),
      executing: (id, at, call) => step('executing', () => journal.executing(id, at, call)),
      retried: (id) => step('retried', () => journal.retried(id)),
      done: (id, outcome, at) => step('done', () => journal.done(id, outcome, at)),
      find: (id) => read(() => journal.find(id)),
      decided: (callId) => read(() => journal.decided(callId)),
      unfinished: () => read(() => journal.unfinished()),
      purge: (before) => read(() => journal.purge(before)),
      close: () => journal.close(),
    },
    suspendedTurns: {
      save: (turn, at) => step('save', () => suspendedTurns.save(turn, at)),
      delete: (turnId) => step('delete', () => suspendedTurns.delete(turnId)),
      all: () => read(() => suspendedTurns.all()),
    },
  };
}
