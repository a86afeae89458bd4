import fc from 'fast-check';
import type { Moment } from '../moments.ts';

/** Moments that can be observed from outside the server. */
export const keptSignals = [
  'a message is sent',
  'the model is asked',
  'a turn is told',
  'facts are looked for',
  'a change is sent',
  'a change is answered',
  'a file changes',
  'vectors are wanted',
] as const;
export type KeptSignal = (typeof keptSignals)[number];

/** Users who have a memory and conversations. */
export const keptUsers = ['ann', 'bob'] as const;
export type KeptUser = (typeof keptUsers)[number];

/**
 * One step of a user. `which` chooses among the entries that the server shows the user at that moment. Numbers beyond the last entry begin
 * again at the first.
 */
export type KeptStep =
  | { readonly kind: 'say'; readonly tells: boolean; readonly asksAbout: number | undefined }
  | { readonly kind: 'begin anew' | 'forget all' | 'erase' }
  | { readonly kind: 'go back' | 'delete' | 'forget' | 'correct'; readonly which: number };

/** A change of a file in the folder of documents: the file is written or removed. */
export interface FileChange {
  readonly page: number;
  readonly isRemoved: boolean;
  readonly afterMs: number;
}

/**
 * The moment at which the process is killed. If the moment does not come, the process is killed when all steps and all changes of files are
 * done.
 */
export type KeptKill =
  | { readonly kind: 'moment'; readonly at: Moment<KeptSignal> }
  | { readonly kind: 'write'; readonly operation: number; readonly when: 'before' | 'after' }
  | { readonly kind: 'start'; readonly operation: number; readonly when: 'before' | 'after' };

/** One process, what users and the folder do meanwhile, and its end. */
export interface KeptLife {
  readonly steps: Readonly<Record<KeptUser, readonly KeptStep[]>>;
  readonly files: readonly FileChange[];
  /** The embedding model that gives documents their vectors. */
  readonly embeddings: 'first' | 'second';
  /** Milliseconds until a small model or an embedding model answers. */
  readonly slowMs: number;
  readonly syncMs: number;
  readonly kill: KeptKill;
}

/** Processes that follow each other on one folder. After them a last process runs without being killed. */
export interface KeptPlan {
  readonly lives: readonly KeptLife[];
}

/** The number of processes of a plan that are killed. Each counts as a round. */
export const keptLivesPerPlan = 5;

const which = fc.nat(20);
const plain = fc.constantFrom('begin anew' as const, 'forget all' as const, 'erase' as const);
const choosing = fc.constantFrom('go back' as const, 'delete' as const, 'forget' as const, 'correct' as const);
const pages = 8;
const page = fc.nat(pages - 1);

const step: fc.Arbitrary<KeptStep> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant('say' as const),
      tells: fc.boolean(),
      asksAbout: fc.option(page, { nil: undefined }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: plain }) },
  { weight: 7, arbitrary: fc.record({ kind: choosing, which }) },
);
/** A message with a fact, and a change of the memory right after it. The small model may still be looking for the fact at that moment. */
const hasty: fc.Arbitrary<readonly KeptStep[]> = fc.tuple(
  fc.constant({ kind: 'say' as const, tells: true, asksAbout: undefined }),
  fc.oneof(
    fc.record({ kind: fc.constantFrom('forget all' as const, 'erase' as const) }),
    fc.record({ kind: fc.constantFrom('forget' as const, 'correct' as const), which }),
  ),
);
const steps: fc.Arbitrary<readonly KeptStep[]> = fc
  .array(
    fc.oneof({ weight: 3, arbitrary: step.map((one): readonly KeptStep[] => [one]) }, { weight: 1, arbitrary: hasty }),
    { minLength: 4, maxLength: 8 },
  )
  .map((parts) => parts.flat());

const when = fc.constantFrom('before' as const, 'after' as const);
const kill: fc.Arbitrary<KeptKill> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant('moment' as const),
      at: fc.record({
        signal: fc.constantFrom(...keptSignals),
        nth: fc.integer({ min: 1, max: 6 }),
        delayMs: fc.oneof(fc.constant(0), fc.nat(30)),
      }),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({ kind: fc.constant('write' as const), operation: fc.integer({ min: 1, max: 150 }), when }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('start' as const), operation: fc.integer({ min: 1, max: 25 }), when }),
  },
);

const life: fc.Arbitrary<KeptLife> = fc.record({
  steps: fc.record({ ann: steps, bob: steps }),
  files: fc.array(
    fc.record({
      page,
      isRemoved: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 2, arbitrary: fc.constant(true) }),
      afterMs: fc.nat(400),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  embeddings: fc.constantFrom('first' as const, 'second' as const),
  slowMs: fc.constantFrom(0, 0, 10, 80),
  syncMs: fc.constantFrom(0, 0, 0, 5),
  kill,
});

const plan = fc.record({ lives: fc.array(life, { minLength: keptLivesPerPlan, maxLength: keptLivesPerPlan }) });

/** The plan of a seed, which is the same every time. */
export function keptPlanOf(seed: number): KeptPlan {
  const [drawn] = fc.sample(plan, { seed, numRuns: 1 });
  if (drawn === undefined) throw new Error('there is no plan');
  return drawn;
}

/** The same plan for a machine without a C compiler: processes are killed at moments alone, and no sync is slow. */
export function withoutDisk(plan: KeptPlan): KeptPlan {
  const at: Moment<KeptSignal> = { signal: 'a change is sent', nth: 1, delayMs: 3 };
  const lives = plan.lives.map((one): KeptLife => ({
    ...one,
    syncMs: 0,
    kill: one.kill.kind === 'moment' ? one.kill : { kind: 'moment', at },
  }));
  return { ...plan, lives };
}

/** A plan in readable sentences. */
export function keptSentences({ lives }: KeptPlan): string {
  const lines = lives.flatMap(({ steps: all, files, kill: end, ...rest }, index) => [
    `${index + 1}. A process starts; ${killSentence(end)}. Embeddings: ${rest.embeddings}; models are ${rest.slowMs} ms slow, syncs ${rest.syncMs} ms.`,
    ...keptUsers.map((user) => `   ${user}: ${all[user].map(stepSentence).join(', ')}.`),
    `   Files: ${files.map(({ page: file, isRemoved, afterMs }) => `${isRemoved ? 'remove' : 'write'} ${file} after ${afterMs} ms`).join(', ')}.`,
  ]);
  return [...lines, `${lives.length + 1}. A last process starts; all is looked at.`].join('\n');
}

function stepSentence(given: KeptStep): string {
  if (given.kind === 'say')
    return `say${given.tells ? ' a fact' : ''}${given.asksAbout === undefined ? '' : ` and ask about ${given.asksAbout}`}`;
  return 'which' in given ? `${given.kind} ${given.which}` : given.kind;
}

function killSentence(given: KeptKill): string {
  if (given.kind === 'moment') {
    const { signal, nth, delayMs } = given.at;
    return `SIGKILL ${delayMs} ms after ${signal} for time ${nth}`;
  }
  const during = given.kind === 'start' ? 'while it starts' : 'once it listens';
  return `SIGKILL ${given.when} operation ${given.operation} of its disk, ${during}`;
}
