import { setImmediate as nextLoop } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AutoApproval } from '../../../../src/core/confirmations/auto-approval.ts';
import { recoverJournal } from '../../../../src/core/confirmations/recover-journal.ts';
import { anonymousPrincipal } from '../../../../src/core/identity/principal.ts';
import type { ConfirmationJournal } from '../../../../src/core/ports/confirmation-journal.ts';
import type { TurnStore } from '../../../../src/core/ports/turn-store.ts';
import type { TapePolicy } from '../../../../src/core/record/tape-services.ts';
import { call, fakeModel } from '../../../support/fake-model.ts';
import { fakeTool } from '../../../support/fake-tool.ts';
import { memoryStores, unended } from '../../../support/memory-stores.ts';
import { recordingLogger } from '../../../support/quiet.ts';
import type { Turn } from '../../../../src/core/turn/live/turn.ts';
import { type ReadEvent, readTurn, testAssistant, type TurnReader } from '../../../support/test-assistant.ts';

const anyone = anonymousPrincipal('test');

/** The steps at which a process can die; `before` a step is durable or `after` it. */
const steps = ['create', 'append', 'requested', 'answered', 'executing', 'done', 'end', 'claim'] as const;
type Death = { readonly step: (typeof steps)[number]; readonly when: 'before' | 'after' } | { readonly step: 'run' };
const deaths: readonly Death[] = [
  ...steps.flatMap((step) => [{ step, when: 'before' } as const, { step, when: 'after' } as const]),
  { step: 'run' },
];

/** `firstDeaths` are the deaths of the process that begins the turn. The others are those of a process that takes the turn up. */
const firstDeaths = deaths.filter(({ step }) => step !== 'claim' && step !== 'executing');
const secondDeaths = deaths.filter(({ step }) => step !== 'create' && step !== 'requested');

class Kept {
  readonly stores = memoryStores();
  /** One entry for each run of the action: the index and the id of its call. */
  readonly runs: { readonly index: number; readonly callId: string }[] = [];
  /** Whether the action belongs to a callback, which recognises the ids of calls that it has seen. */
  readonly repeatable: boolean;
  readonly policy: TapePolicy;

  constructor({ repeatable = false, policy = 'question' }: Partial<Pick<Kept, 'repeatable' | 'policy'>>) {
    this.repeatable = repeatable;
    this.policy = policy;
  }
}

/** A process on the kept stores that dies at one step. After its death every promise that it awaits stays pending. */
class Process {
  readonly #kept: Kept;
  readonly #death: Death | undefined;
  #dead = false;

  constructor(kept: Kept, death?: Death) {
    this.#kept = kept;
    this.#death = death;
  }

  get dead(): boolean {
    return this.#dead;
  }

  /** Makes the process die between two steps. */
  kill(): void {
    this.#dead = true;
  }

  async #step<Outcome>(step: Death['step'], run: () => Promise<Outcome>): Promise<Outcome> {
    const dies = this.#death?.step === step;
    if (this.#dead || (dies && 'when' in this.#death && this.#death.when === 'before')) return this.#die();
    const outcome = await run();
    // The process may have died at another step meanwhile.
    return dies || this.dead ? this.#die() : outcome;
  }

  /** A dead process gets no result of a read either. */
  async #read<Outcome>(run: () => Promise<Outcome>): Promise<Outcome> {
    const outcome = await run();
    return this.#dead ? this.#die() : outcome;
  }

  #die(): Promise<never> {
    this.#dead = true;
    return new Promise(() => undefined);
  }

  open(model: ReturnType<typeof fakeModel>) {
    const { stores, runs, repeatable, policy } = this.#kept;
    const { journal, turns } = stores;
    const dyingJournal: ConfirmationJournal = {
      requested: (...given) => this.#step('requested', () => journal.requested(...given)),
      withdrawn: (...given) => this.#read(() => journal.withdrawn(...given)),
      answered: (...given) => this.#step('answered', () => journal.answered(...given)),
      executing: (...given) => this.#step('executing', () => journal.executing(...given)),
      retried: (id) => this.#read(() => journal.retried(id)),
      done: (...given) => this.#step('done', () => journal.done(...given)),
      find: (id) => this.#read(() => journal.find(id)),
      ofCall: (callId) => this.#read(() => journal.ofCall(callId)),
      ofTurn: (turnId) => this.#read(() => journal.ofTurn(turnId)),
      ranSince: (...given) => this.#read(() => journal.ranSince(...given)),
      unfinished: () => this.#read(() => journal.unfinished()),
      waiting: () => this.#read(() => journal.waiting()),
      rename: (...given) => journal.rename(...given),
      purge: (...given) => journal.purge(...given),
      dropUnapproved: (...given) => journal.dropUnapproved(...given),
      close: () => Promise.resolve(),
    };
    const dyingTurns: TurnStore = {
      create: (...given) => this.#step('create', () => turns.create(...given)),
      append: (...given) => this.#step('append', () => turns.append(...given)),
      end: (...given) => this.#step('end', () => turns.end(...given)),
      ids: () => this.#read(() => turns.ids()),
      read: (turnId) => this.#read(() => turns.read(turnId)),
      headers: (asked) => this.#read(() => turns.headers(asked)),
      claim: (turnId) => this.#step('claim', () => turns.claim(turnId)),
      delete: (turnIds) => turns.delete(turnIds),
      forget: (...given) => turns.forget(...given),
    };
    const tool = fakeTool({
      repeatable,
      execute: async ({ caseId }, { callId }) => {
        runs.push({ index: Number(caseId), callId });
        await this.#step('run', () => Promise.resolve());
        return { value: { done: true } };
      },
    });
    return testAssistant({
      journal: dyingJournal,
      turns: dyingTurns,
      tapePolicy: policy,
      autoApproval: new AutoApproval({ rules: [], maxRounds: null }),
      toolList: [tool],
      model,
    });
  }

  /** Starts the next process and takes its turns up, as at the start of a server. */
  async resume(model: ReturnType<typeof fakeModel>) {
    const { journal, turns } = this.#kept.stores;
    const kept = new Set(await turns.ids());
    await recoverJournal(journal, recordingLogger(), { now: 1, retentionMs: 1000, kept });
    const next = this.open(model);
    // If the process dies, this promise never settles. It is therefore not awaited.
    void next.assistant.takeUpTurns();
    await settle();
    return next;
  }
}

/** The questions of events of a type. */
function idsOf(events: readonly ReadEvent[], wanted: ReadEvent['type']): unknown[] {
  return events.filter(({ type }) => type === wanted).map(({ fields }) => fields['actionId']);
}

async function settle(): Promise<void> {
  for (let loop = 0; loop < 12; loop += 1) await nextLoop();
}

/** The answers of users, by call. Each call is answered as planned, in every process and copy that asks. */
class Answers {
  readonly accepted: boolean[] = [];
  readonly #planned: readonly boolean[];
  readonly #given = new Set<string>();

  constructor(planned: readonly boolean[]) {
    this.#planned = planned;
  }

  async giveAll({ assistant }: ReturnType<Process['open']>, { events }: TurnReader): Promise<void> {
    for (const { fields } of events.filter(({ type }) => type === 'confirmation-requested')) {
      const actionId = String(fields['actionId']);
      const [argument] = fields['arguments'] as { readonly value: number }[];
      const index = argument?.value ?? 0;
      if (this.#given.has(actionId)) continue;
      const approved = this.#planned[index] === true;
      void assistant.answerConfirmation({ actionId, approved }, anyone).then(
        () => {
          this.#given.add(actionId);
          this.accepted[index] = approved;
        },
        () => undefined,
      );
      await settle();
    }
  }
}

interface Play {
  /** The step at which the first process dies. Left out, it dies as soon as it has asked. */
  readonly first?: Death | undefined;
  /** The step at which the process that takes the turn up dies. Left out, it lives and ends the turn. */
  readonly second?: Death | undefined;
  /**
   * Whether the planned approvals were given before the first process died, and their actions had not begun. Version 1.0 left such rows.
   * Cannot be used with `first`.
   */
  readonly isApproved?: boolean;
  readonly copies?: number;
  readonly repeatable?: boolean;
  readonly policy?: TapePolicy;
}

/**
 * Processes die at their steps, one after the other; the last one is asked for what is still open: in its turns, and in as
 * many copies of the conversation as are restored from a snapshot of the first process.
 */
async function play(planned: readonly boolean[], how: Play) {
  const kept = new Kept(how);
  const answers = new Answers(planned);
  const calls = planned.map((_approved, index) => call('close_case', { caseId: index }));
  const first = new Process(kept, how.first);
  const one = first.open(fakeModel({ text: 'One moment. ', toolCalls: calls }, { text: 'Done.' }));
  const session = one.assistant.openSession({ channel: 'hub' });
  const turn = session.startNow({ text: 'close them' });
  const readers = [readTurn(turn)];
  await settle();
  const snapshot = first.dead ? undefined : await one.snapshots.save(session);
  if (how.first === undefined) first.kill();
  else if (!first.dead) for (const reader of readers) await answers.giveAll(one, reader);
  await settle();
  if (how.isApproved === true && how.first === undefined) await approve(kept, planned);
  let second: Process | undefined;
  if (how.second !== undefined) {
    second = new Process(kept, how.second);
    const two = await second.resume(fakeModel({ text: 'Done.' }));
    // A process that died while it took the turn up never says whether it has the turn.
    const takenUp = await Promise.race([two.assistant.findTurn(turn.id, anyone), settle()]);
    if (takenUp !== undefined) readers.push(readTurn(takenUp));
    if (!second.dead) for (const reader of readers.slice(1)) await answers.giveAll(two, reader);
    await settle();
  }
  const copies = snapshot === undefined ? 0 : (how.copies ?? 0);
  const last = await new Process(kept).resume(
    fakeModel(...Array.from({ length: 2 + copies }, () => ({ text: 'Done.' }))),
  );
  const copied: TurnReader[] = [];
  const results: Promise<unknown>[] = [];
  for (let copy = 0; copy < copies; copy += 1) {
    const onCopy = (copy: Turn): void => {
      copied.push(readTurn(copy));
      results.push(copy.result);
    };
    await last.snapshots.restore(last.assistant.openSession({ channel: 'hub', onCopy }), snapshot ?? '');
  }
  // The newest copy is answered first.
  for (const each of copied.toReversed()) await answers.giveAll(last, each);
  const resumed = await last.assistant.findTurn(turn.id, anyone);
  if (resumed !== undefined) await answers.giveAll(last, readTurn(resumed));
  await Promise.all([resumed?.result, ...results]);
  await settle();
  const ended = await last.assistant.findTurn(turn.id, anyone);
  const told = ended === undefined ? undefined : readTurn(ended).events;
  return { kept, first, second, accepted: answers.accepted, copied, seen: readers.map(({ events }) => events), told };
}

async function approve({ stores }: Kept, planned: readonly boolean[]): Promise<void> {
  for (const { actionId, arguments: given } of await stores.journal.unfinished()) {
    const { caseId } = JSON.parse(given) as { readonly caseId: number }; // as `play` has called it
    if (planned[caseId] === true) await stores.journal.answered(actionId, { answer: 'approved', by: 'user' }, 1);
  }
}

type Played = Awaited<ReturnType<typeof play>>;

/** No action runs twice, none without its approval. */
function checkRuns({ kept }: Played, planned: readonly boolean[], deaths: number): void {
  const { runs, repeatable } = kept;
  const ran = new Set(runs.map(({ index }) => index));
  // A callback may be asked once more after each crash. The id is the same, so the callback sees the same call.
  expect(new Set(runs.map(({ callId }) => callId)).size).toBe(ran.size);
  if (!repeatable) expect(runs.length).toBe(ran.size);
  for (const index of ran) {
    expect(planned[index]).toBe(true);
    expect(runs.filter((each) => each.index === index).length).toBeLessThanOrEqual(1 + deaths);
  }
}

/** Every question has ended exactly once, nothing is left open, and the turn has one end. */
async function checkEnds({ kept, copied, told, accepted }: Played, planned: readonly boolean[]): Promise<void> {
  expect(await kept.stores.journal.unfinished()).toEqual([]);
  expect(await unended(kept.stores)).toEqual([]);
  for (const { events } of copied) {
    const resolved = idsOf(events, 'confirmation-resolved').toSorted();
    expect(resolved).toEqual(idsOf(events, 'confirmation-requested').toSorted());
    expect(events.at(-1)?.type).toBe('turn-completed');
  }
  if (told === undefined) return;
  const resolved = idsOf(told, 'confirmation-resolved');
  expect(new Set(resolved).size).toBe(resolved.length);
  expect(resolved.toSorted()).toEqual(idsOf(told, 'confirmation-requested').toSorted());
  expect(told.map(({ seq }) => seq)).toEqual(told.map((_event, index) => index + 1));
  expect(told.filter(({ type }) => type === 'turn-completed')).toHaveLength(1);
  expect(told.filter(({ type }) => type === 'action-completed').length).toBe(planned.length);
  // An action whose approval was acknowledged has run, or the user and the model were told that its outcome is unknown.
  const ran = new Set(kept.runs.map(({ index }) => index));
  const unknown = told.filter(({ fields }) => fields['status'] === 'unknown').length;
  expect(ran.size + unknown).toBeGreaterThanOrEqual(accepted.filter(Boolean).length);
}

/** Nothing that a reader was told may change, except that text may be taken back. */
function checkSeen({ seen, told }: Played): void {
  for (const events of seen) {
    if (told === undefined) expect(idsOf(events, 'confirmation-requested')).toEqual([]);
    else expect(told).toEqual(expect.arrayContaining(events.filter(({ type }) => type !== 'text-delta')));
  }
}

describe('a server that dies anywhere in a confirmed call (contract/confirmations.md#the-journal)', () => {
  // proves wire-5-42
  it('runs no action twice and none without its approval, ends every question exactly once, and changes nothing that was told', async () => {
    const property = fc.asyncProperty(
      fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }),
      fc.record({
        first: fc.option(fc.constantFrom(...firstDeaths), { nil: undefined }),
        second: fc.option(fc.constantFrom(...secondDeaths), { nil: undefined }),
        isApproved: fc.boolean(),
        copies: fc.nat(2),
        repeatable: fc.boolean(),
        policy: fc.constantFrom<TapePolicy>('question', 'always'),
      }),
      async (planned, how) => {
        const played = await play(planned, how);
        checkRuns(played, planned, how.second === undefined ? 1 : 2);
        await checkEnds(played, planned);
        checkSeen(played);
      },
    );
    await fc.assert(property, { numRuns: 300 });
  });

  const titled = (all: readonly Death[]) =>
    all.map((death) => [`${death.step} ${'when' in death ? death.when : ''}`.trim(), death] as const);

  it.each(titled(firstDeaths))('dying at "%s" loses nothing silently', async (_title, death) => {
    const played = await play([true], { first: death });
    expect(played.first.dead).toBe(true);
    checkRuns(played, [true], 0);
    await checkEnds(played, [true]);
    checkSeen(played);
  });

  it.each(titled(secondDeaths))('dying again at "%s" after a restart loses nothing silently', async (_title, death) => {
    const played = await play([true], { second: death, isApproved: death.step === 'executing' });
    expect(played.second?.dead).toBe(true);
    checkRuns(played, [true], 0);
    await checkEnds(played, [true]);
    checkSeen(played);
    expect(played.told).toBeDefined();
  });
});
