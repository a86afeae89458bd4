import { setImmediate as nextLoop } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InMemoryConfirmationJournal } from '../../../../src/adapters/stores/in-memory/in-memory-confirmation-journal.ts';
import { InMemorySuspendedTurnStore } from '../../../../src/adapters/stores/in-memory/in-memory-suspended-turn-store.ts';
import { AutoApproval } from '../../../../src/core/confirmations/auto-approval.ts';
import { recoverJournal } from '../../../../src/core/confirmations/recover-journal.ts';
import { anonymousPrincipal } from '../../../../src/core/identity/principal.ts';
import type { ConfirmationJournal } from '../../../../src/core/ports/confirmation-journal.ts';
import type { SuspendedTurnStore } from '../../../../src/core/ports/suspended-turn-store.ts';
import { suspendedTurn } from '../../../../src/core/turn/turn-suspension.ts';
import { call, fakeModel } from '../../../support/fake-model.ts';
import { fakeTool } from '../../../support/fake-tool.ts';
import { recordingLogger } from '../../../support/quiet.ts';
import type { Turn } from '../../../../src/core/turn/turn.ts';
import { type ReadEvent, readTurn, testAssistant } from '../../../support/test-assistant.ts';

const anyone = anonymousPrincipal('test');

/** The steps between which a process can die; `before` a step is durable or `after` it. */
const steps = ['requested', 'save', 'answered', 'executing', 'done', 'delete'] as const;
type Death = { readonly step: (typeof steps)[number]; readonly when: 'before' | 'after' } | { readonly step: 'run' };
const deaths: readonly Death[] = [
  ...steps.flatMap((step) => [{ step, when: 'before' } as const, { step, when: 'after' } as const]),
  { step: 'run' },
];

class Kept {
  readonly journal = new InMemoryConfirmationJournal();
  readonly suspendedTurns = new InMemorySuspendedTurnStore();
  /** Each time the action ran: for which call, by which id. */
  readonly runs: { readonly index: number; readonly callId: string }[] = [];
  /** The action is one of a callback, which knows the ids it has seen. */
  readonly repeatable: boolean;

  constructor(repeatable: boolean) {
    this.repeatable = repeatable;
  }
}

/** A process on the kept stores that dies at one step: from there on nothing it waits for ever comes. */
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

  async #step<Outcome>(step: Death['step'], run: () => Promise<Outcome>): Promise<Outcome> {
    const dies = this.#death?.step === step;
    if (this.#dead || (dies && 'when' in this.#death && this.#death.when === 'before')) return this.#die();
    const outcome = await run();
    // It may have died at another step meanwhile.
    return dies || this.dead ? this.#die() : outcome;
  }

  #die(): Promise<never> {
    this.#dead = true;
    return new Promise(() => undefined);
  }

  open(model: ReturnType<typeof fakeModel>) {
    const { journal, suspendedTurns, runs, repeatable } = this.#kept;
    const dyingJournal: ConfirmationJournal = {
      requested: (entry) => this.#step('requested', () => journal.requested(entry)),
      answered: (id, answer, at) => this.#step('answered', () => journal.answered(id, answer, at)),
      executing: (id, at, made) => this.#step('executing', () => journal.executing(id, at, made)),
      retried: (id) => journal.retried(id),
      done: (id, outcome, at) => this.#step('done', () => journal.done(id, outcome, at)),
      find: (id) => journal.find(id),
      decided: (callId) => journal.decided(callId),
      ofCall: (callId) => journal.ofCall(callId),
      ofTurn: (turnId) => journal.ofTurn(turnId),
      unfinished: () => journal.unfinished(),
      purge: (before) => journal.purge(before),
      close: () => Promise.resolve(),
    };
    const dyingStore: SuspendedTurnStore = {
      save: (turn) => this.#step('save', () => suspendedTurns.save(turn)),
      delete: (turnId) => this.#step('delete', () => suspendedTurns.delete(turnId)),
      all: () => suspendedTurns.all(),
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
      suspendedTurns: dyingStore,
      autoApproval: new AutoApproval({ rules: [], maxIterations: null }),
      toolList: [tool],
      model,
    });
  }

  /** As at the start of a server. */
  async resume(model: ReturnType<typeof fakeModel>) {
    const kept = (await this.#kept.suspendedTurns.all()).flatMap(({ state }) => suspendedTurn(state)?.open ?? []);
    await recoverJournal(this.#kept.journal, recordingLogger(), {
      now: 1,
      retentionMs: 1000,
      kept: new Set(kept.map(({ actionId }) => actionId)),
    });
    const next = this.open(model);
    await next.assistant.resumeSuspended();
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

/**
 * One process dies at a step, the next one is asked for what is still open: in its turns, and in as many copies of the
 * conversation as are restored from a snapshot of the first process.
 */
async function play(death: Death, answers: readonly boolean[], { copies = 0, repeatable = false } = {}) {
  const kept = new Kept(repeatable);
  const { runs } = kept;
  const calls = answers.map((_approved, index) => call('close_case', { caseId: index }));
  const first = new Process(kept, death);
  const one = first.open(fakeModel({ toolCalls: calls }, { text: 'Done.' }));
  const session = one.assistant.openSession({ channel: 'hub' });
  const turn = session.startNow({ text: 'close them' });
  const reader = readTurn(turn);
  const accepted: boolean[] = [];
  const answered = new Set<string>();
  const answerAll = async (
    assistant: typeof one.assistant,
    shown: readonly { readonly type: string; readonly fields: Readonly<Record<string, unknown>> }[],
  ): Promise<void> => {
    for (const { fields } of shown.filter(({ type }) => type === 'confirmation-requested')) {
      const actionId = String(fields['actionId']);
      const [argument] = fields['arguments'] as { readonly value: number }[];
      const index = argument?.value ?? 0;
      if (answered.has(actionId)) continue;
      void assistant.answerConfirmation({ actionId, approved: answers[index] === true }, anyone).then(
        () => {
          answered.add(actionId);
          accepted[index] = answers[index] === true;
        },
        () => undefined,
      );
      await settle();
    }
  };
  await settle();
  const snapshot = await one.snapshots.save(session);
  if (!first.dead) await answerAll(one.assistant, reader.events);
  await settle();
  const model = fakeModel(...Array.from({ length: 2 + copies }, () => ({ text: 'Done.' })));
  const two = await new Process(kept).resume(model);
  const copied: Turn[] = [];
  for (let copy = 0; copy < copies; copy += 1) {
    const target = two.assistant.openSession({ channel: 'hub', onReopened: (reopened) => copied.push(reopened) });
    await two.snapshots.restore(target, snapshot);
  }
  // The newest copy is answered first.
  const copyReaders = copied.map((each) => readTurn(each));
  for (const each of copyReaders.toReversed()) await answerAll(two.assistant, each.events);
  const resumed = two.assistant.findTurn(turn.id, anyone);
  if (resumed !== undefined) {
    await answerAll(two.assistant, readTurn(resumed).events);
    await resumed.result;
  }
  for (const each of copied) await each.result;
  await settle();
  return { kept, runs, turn, two, accepted, first, resumed, copyReaders };
}

describe('a server that dies anywhere in a confirmed call (wire.md 5)', () => {
  it('runs no action twice and none without its approval, and ends every question exactly once', async () => {
    const property = fc.asyncProperty(
      fc.constantFrom(...deaths),
      fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }),
      fc.record({ copies: fc.nat(2), repeatable: fc.boolean() }),
      async (death, answers, how) => {
        const { kept, runs, turn, two, accepted, copyReaders } = await play(death, answers, how);
        const ran = new Set(runs.map(({ index }) => index));
        // A callback may be asked once more after the one crash, under the same id: to it that is the same call.
        expect(new Set(runs.map(({ callId }) => callId)).size).toBe(ran.size);
        if (!how.repeatable) expect(runs.length).toBe(ran.size);
        for (const index of ran) {
          expect(answers[index]).toBe(true);
          expect(runs.filter((each) => each.index === index).length).toBeLessThanOrEqual(2);
        }
        expect(await kept.journal.unfinished()).toEqual([]);
        expect(await kept.suspendedTurns.all()).toEqual([]);
        for (const { events } of copyReaders) {
          expect(idsOf(events, 'confirmation-resolved').toSorted()).toEqual(
            idsOf(events, 'confirmation-requested').toSorted(),
          );
          expect(events.at(-1)?.type).toBe('turn-completed');
        }
        const ended = two.assistant.findTurn(turn.id, anyone);
        if (ended === undefined) return;
        const { events } = readTurn(ended);
        const asked = idsOf(events, 'confirmation-requested');
        const resolved = idsOf(events, 'confirmation-resolved');
        expect(new Set(resolved).size).toBe(resolved.length);
        expect(asked).toEqual(expect.arrayContaining(resolved));
        expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index + 1));
        expect(events.filter(({ type }) => type === 'turn-completed')).toHaveLength(1);
        expect(events.filter(({ type }) => type === 'action-completed').length).toBe(answers.length);
        // What was approved and acknowledged has run, or user and model were told that it is unknown.
        const unknown = events.filter(({ fields }) => fields['status'] === 'unknown').length;
        expect(ran.size + unknown).toBeGreaterThanOrEqual(accepted.filter(Boolean).length);
      },
    );
    await fc.assert(property, { numRuns: 200 });
  });

  it.each(deaths.map((death) => [`${death.step} ${'when' in death ? death.when : ''}`.trim(), death] as const))(
    'dying at "%s" loses nothing silently',
    async (_title, death) => {
      const { runs, kept, first } = await play(death, [true]);
      expect(runs.length).toBeLessThanOrEqual(1);
      expect(first.dead).toBe(true);
      expect(await kept.journal.unfinished()).toEqual([]);
    },
  );
});
