import fc from 'fast-check';
import { diskErrors, type DiskError } from './failing-disk.ts';
import { type Moment, type Signal, signals } from './moments.ts';

/** The actions that a model can call. `unasked_change` is a write that runs without a question. `look` only reads. */
const actionNames = ['change', 'slow_change', 'failing_change', 'unasked_change', 'look'] as const;
export type ActionName = (typeof actionNames)[number];

/** How a user reacts to a question. */
export const reactions = ['approve', 'decline', 'stop', 'leave', 'approve and decline', 'approve and stop'] as const;
export type Reaction = (typeof reactions)[number];

/** One call of the model, and its user's reactions to the question. */
export interface PlannedCall {
  /** Unique in the whole plan: `life.turn.round.call`. */
  readonly id: string;
  readonly name: ActionName;
  /** The reaction when the question is asked. */
  readonly first: Reaction;
  /** The reaction in each later process that finds the question open. */
  readonly later: Reaction;
  /** The reaction in the last process. */
  readonly last: 'approve' | 'decline';
  readonly afterMs: number;
}

export interface PlannedTurn {
  readonly channel: 'hub' | 'sse';
  readonly user: 'ann' | 'nobody';
  readonly startsAfterMs: number;
  /** The pause between two pieces of the model's text, in milliseconds. */
  readonly paceMs: number;
  readonly rounds: readonly (readonly PlannedCall[])[];
}

/** What happens to the process. In a disk fault, `killed` means that the process is killed before the disk works again. */
export type Fault =
  | { readonly kind: 'kill'; readonly at: Moment }
  | { readonly kind: 'kill at a write'; readonly operation: number; readonly when: 'before' | 'after' }
  | { readonly kind: 'kill while starting'; readonly operation: number; readonly when: 'before' | 'after' }
  | { readonly kind: 'SIGTERM'; readonly at: Moment; readonly killAfterMs: number | undefined }
  | { readonly kind: DiskError; readonly at: Moment; readonly after: number; readonly killed: boolean }
  | { readonly kind: 'full disk' | 'foreign lock'; readonly at: Moment; readonly killed: boolean }
  | { readonly kind: 'deleted folder'; readonly at: Moment };

/** One process, the turns that begin in it, and its end. It also resumes and answers what earlier processes left. */
export interface Life {
  readonly turns: readonly PlannedTurn[];
  /** Milliseconds that are added to each sync of the disk. */
  readonly syncMs: number;
  readonly fault: Fault;
}

/** Processes that follow each other on one folder. A last process without a fault follows them. */
export interface FaultPlan {
  readonly hitlMode: 'Blocking' | 'Native';
  /** The time after which questions expire. */
  readonly confirmationTimeout: '15m' | '400ms';
  /** Whether each process resumes what earlier ones left. Otherwise only the last one does. */
  readonly catchesUp: boolean;
  readonly lives: readonly Life[];
}

const nat = (most: number): fc.Arbitrary<number> => fc.nat(most);

const call = fc.record({
  name: fc.oneof(
    { weight: 6, arbitrary: fc.constant<ActionName>('change') },
    { weight: 4, arbitrary: fc.constantFrom(...actionNames) },
  ),
  first: fc.oneof(
    { weight: 5, arbitrary: fc.constant<Reaction>('approve') },
    { weight: 3, arbitrary: fc.constant<Reaction>('leave') },
    { weight: 4, arbitrary: fc.constantFrom(...reactions) },
  ),
  later: fc.oneof(
    { weight: 3, arbitrary: fc.constant<Reaction>('approve') },
    { weight: 3, arbitrary: fc.constantFrom(...reactions) },
  ),
  last: fc.constantFrom('approve' as const, 'decline' as const),
  afterMs: nat(25),
});

const turn = fc.record({
  channel: fc.constantFrom('hub' as const, 'sse' as const),
  user: fc.constantFrom('ann' as const, 'nobody' as const),
  startsAfterMs: nat(60),
  paceMs: fc.constantFrom(0, 2, 15, 60),
  rounds: fc.array(fc.array(call, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 2 }),
});

const anySignal = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<Signal>('an approval is answered', 'an action has run') },
  { weight: 5, arbitrary: fc.constantFrom<Signal>(...signals) },
);
const moment: fc.Arbitrary<Moment> = fc.record({
  signal: anySignal,
  nth: fc.integer({ min: 1, max: 4 }),
  delayMs: fc.oneof({ weight: 1, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: nat(30) }),
});
const when = fc.constantFrom('before' as const, 'after' as const);

const fault: fc.Arbitrary<Fault> = fc.oneof(
  { weight: 20, arbitrary: fc.record({ kind: fc.constant('kill' as const), at: moment }) },
  {
    weight: 14,
    arbitrary: fc.record({
      kind: fc.constant('kill at a write' as const),
      operation: fc.integer({ min: 1, max: 60 }),
      when,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('kill while starting' as const),
      operation: fc.integer({ min: 1, max: 12 }),
      when,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('SIGTERM' as const),
      at: moment,
      killAfterMs: fc.option(nat(150), { nil: undefined }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom(...diskErrors),
      at: moment,
      after: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: nat(8) }),
      killed: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('full disk' as const, 'foreign lock' as const),
      at: moment,
      killed: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('deleted folder' as const), at: moment }) },
);

const life = fc.record({
  turns: fc.array(turn, { minLength: 3, maxLength: 6 }),
  syncMs: fc.constantFrom(0, 0, 3, 12),
  fault,
});

/** The number of processes in a plan that end by a fault. Each of them counts as a round. */
export const livesPerPlan = 4;

const plan = fc.record({
  hitlMode: fc.constantFrom('Native' as const, 'Blocking' as const),
  confirmationTimeout: fc.oneof(
    { weight: 6, arbitrary: fc.constant('15m' as const) },
    { weight: 1, arbitrary: fc.constant('400ms' as const) },
  ),
  catchesUp: fc.constant(true),
  lives: fc.array(life, { minLength: livesPerPlan, maxLength: livesPerPlan }),
});

const needNoDisk: ReadonlySet<Fault['kind']> = new Set(['kill', 'SIGTERM', 'foreign lock', 'deleted folder']);

/** The same plan for a machine that cannot make disks fail. The processes are killed instead, and no sync is slow. */
export function withoutFailingDisk(plan: FaultPlan): FaultPlan {
  const lives = plan.lives.map((life): Life => {
    if (needNoDisk.has(life.fault.kind)) return { ...life, syncMs: 0 };
    const at: Moment = 'at' in life.fault ? life.fault.at : { signal: 'an action has run', nth: 1, delayMs: 0 };
    return { ...life, syncMs: 0, fault: { kind: 'kill', at } };
  });
  return { ...plan, lives };
}

/** The plan of a seed, which is the same every time. */
export function planOf(seed: number): FaultPlan {
  const [drawn] = fc.sample(plan, { seed, numRuns: 1 });
  if (drawn === undefined) throw new Error('there is no plan');
  return {
    ...drawn,
    lives: drawn.lives.map((one, lifeIndex) => ({
      ...one,
      turns: one.turns.map((each, turnIndex) => ({
        ...each,
        rounds: each.rounds.map((calls, roundIndex) =>
          calls.map((planned, index) => ({ id: [lifeIndex, turnIndex, roundIndex, index].join('.'), ...planned })),
        ),
      })),
    })),
  };
}
