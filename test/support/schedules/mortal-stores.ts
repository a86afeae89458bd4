import { setImmediate as nextLoop } from 'node:timers/promises';
import type { Stores } from '../../../src/adapters/stores/stores.ts';

/** The steps in which a server stores something. */
export const durableSteps = [
  'create',
  'append',
  'requested',
  'answered',
  'executing',
  'done',
  'retried',
  'end',
  'claim',
] as const;
export type DurableStep = (typeof durableSteps)[number];
export interface Death {
  readonly step: DurableStep;
  readonly when: 'before' | 'after';
}

/** Decides when a process dies. */
export interface Mortality {
  readonly isDead: boolean;
  /** The number of event loops that the next step takes before and after it. */
  slowness(): number;
  /** Counts a step as under way. */
  during<Result>(write: () => Promise<Result>): Promise<Result>;
  /** Kills the process if it is planned to die at this place. */
  passes(step: DurableStep, when: 'before' | 'after'): void;
}

/** The stores of one process, as slow as the schedule says. The stores of a dead process accept nothing and return nothing. */
export function mortalStores(stores: Stores, life: Mortality): Stores {
  const check = (): void => {
    if (life.isDead) throw new Error('this process is dead');
  };
  const pass = async <Result>(name: DurableStep, write: () => Promise<Result>): Promise<Result> => {
    for (let loop = life.slowness(); loop > 0; loop -= 1) await nextLoop();
    check();
    life.passes(name, 'before');
    check();
    const result = await write();
    check();
    life.passes(name, 'after');
    check();
    for (let loop = life.slowness(); loop > 0; loop -= 1) await nextLoop();
    check();
    return result;
  };
  // Changes are made in the order of their calls, however slow each of them is.
  let earlier: Promise<unknown> = Promise.resolve();
  const step = <Result>(name: DurableStep, write: () => Promise<Result>): Promise<Result> =>
    life.during(() => {
      const passed = earlier.then(() => pass(name, write));
      earlier = passed.catch(() => undefined);
      return passed;
    });
  const read = async <Result>(find: () => Promise<Result>): Promise<Result> => {
    check();
    return find();
  };
  const { journal, suspendedTurns, turns, deliveries } = stores;
  return {
    journal: {
      requested: (entry, under) => step('requested', () => journal.requested(entry, under)),
      withdrawn: (...given) => read(() => journal.withdrawn(...given)),
      answered: (id, answer, at) => step('answered', () => journal.answered(id, answer, at)),
      executing: (id, at, call) => step('executing', () => journal.executing(id, at, call)),
      retried: (id) => step('retried', () => journal.retried(id)),
      done: (id, outcome, at, from) => step('done', () => journal.done(id, outcome, at, from)),
      find: (id) => read(() => journal.find(id)),
      ofCall: (callId) => read(() => journal.ofCall(callId)),
      ofTurn: (turnId) => read(() => journal.ofTurn(turnId)),
      unfinished: () => read(() => journal.unfinished()),
      waiting: () => read(() => journal.waiting()),
      rename: (userKey, pseudonym) => read(() => journal.rename(userKey, pseudonym)),
      purge: (...given) => read(() => journal.purge(...given)),
      dropUnapproved: (...given) => read(() => journal.dropUnapproved(...given)),
      ranSince: (...given) => read(() => journal.ranSince(...given)),
      close: () => journal.close(),
    },
    suspendedTurns,
    deliveries,
    turns: {
      create: (turn, at) => step('create', () => turns.create(turn, at)),
      append: (hold, lines) => step('append', () => turns.append(hold, lines)),
      end: (hold, lines, rest) => step('end', () => turns.end(hold, lines, rest)),
      claim: (turnId) => step('claim', () => turns.claim(turnId)),
      ids: () => read(() => turns.ids()),
      read: (turnId) => read(() => turns.read(turnId)),
      headers: (asked) => read(() => turns.headers(asked)),
      delete: (turnIds) => read(() => turns.delete(turnIds)),
      forget: (now, savedBefore) => turns.forget(now, savedBefore),
    },
    metrics: stores.metrics,
    memory: stores.memory,
    conversations: stores.conversations,
    erasures: stores.erasures,
    budgets: stores.budgets,
    tasks: stores.tasks,
    isWritable: () => stores.isWritable(),
  };
}
