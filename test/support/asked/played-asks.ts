import fc from 'fast-check';
import { setImmediate as nextLoop } from 'node:timers/promises';
import { vi } from 'vitest';
import { recoverJournal } from '../../../src/core/confirmations/recover-journal.ts';
import { interruptedCalls } from '../../../src/core/direct/asked-call.ts';
import type { DirectCall, DirectOutcome } from '../../../src/core/direct/direct-call.ts';
import type { Assistant } from '../../../src/core/assistant.ts';
import type { JournalRow } from '../../../src/core/ports/confirmation-journal.ts';
import { MortalProcess } from '../agents/mortal-process.ts';
import { fakeTool } from '../fake-tool.ts';
import { memoryStores } from '../memory-stores.ts';
import { signedIn } from '../principals.ts';
import { recordingLogger } from '../quiet.ts';
import { testAssistant } from '../test-assistant.ts';

/** The time that questions, approvals and outcomes are kept, in milliseconds. */
const heldMs = 1000;

const users = ['ann', 'eve'] as const;
type User = (typeof users)[number];

/** What happens next. Numbers choose among what there is at that moment. */
type AskStep =
  | {
      readonly kind: 'call';
      readonly user: User;
      readonly amount: number;
      readonly names: boolean;
      readonly reply: DirectCall['reply'];
    }
  | {
      readonly kind: 'answer';
      readonly user: User;
      readonly approved: boolean;
      readonly question: number;
      readonly twice: boolean;
    }
  | { readonly kind: 'leave'; readonly call: number }
  | { readonly kind: 'finish' }
  | { readonly kind: 'time'; readonly ms: number };

/** One schedule. `deaths`: at which durable step each process dies, and whether the store has made the step. */
export interface AskPlan {
  readonly steps: readonly { readonly step: AskStep; readonly loops: number }[];
  readonly deaths: readonly { readonly step: number; readonly isMade: boolean }[];
  /** Durable steps that the store reports as failed. */
  readonly failures: readonly { readonly step: number; readonly isMade: boolean }[];
}

const user = fc.constantFrom(...users);
const askStep: fc.Arbitrary<AskStep> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('call' as const),
      user: fc.oneof({ weight: 4, arbitrary: fc.constant('ann' as const) }, { weight: 1, arbitrary: user }),
      amount: fc.constantFrom(1, 1, 1, 2),
      names: fc.boolean(),
      reply: fc.constantFrom(
        undefined,
        'opened' as const,
        'opened' as const,
        'declined' as const,
        'dismissed' as const,
      ),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('answer' as const),
      user: fc.oneof({ weight: 5, arbitrary: fc.constant('ann' as const) }, { weight: 1, arbitrary: user }),
      approved: fc.constantFrom(true, true, true, false),
      question: fc.nat(3),
      twice: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave' as const), call: fc.nat(3) }) },
  { weight: 3, arbitrary: fc.constant({ kind: 'finish' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('time' as const), ms: fc.constantFrom(10, 500, 999, 1000, 1500) }),
  },
);
const moment = (most: number) => fc.record({ step: fc.nat(most), isMade: fc.boolean() });

export const askPlans: fc.Arbitrary<AskPlan> = fc.record({
  steps: fc.array(fc.record({ step: askStep, loops: fc.nat(3) }), { minLength: 3, maxLength: 25 }),
  deaths: fc.array(moment(7), { maxLength: 2 }),
  failures: fc.array(moment(10), { maxLength: 1 }),
});

/** One run of the action. */
export interface Payment {
  readonly callId: string;
  readonly user: string;
  readonly amount: unknown;
}

/** An answer that the server took. */
interface TakenAnswer {
  readonly actionId: string;
  readonly user: User;
  readonly approved: boolean;
}

export interface PlayedAsks {
  readonly payments: readonly Payment[];
  readonly taken: readonly TakenAnswer[];
  readonly outcomes: readonly { readonly user: User; readonly amount: number; readonly outcome: DirectOutcome }[];
  readonly rows: readonly JournalRow[];
  readonly deaths: number;
  /** Calls that were told nothing although their process lives. */
  readonly silent: number;
}

/** Plays a plan on the real core, with a new process after each death. Its timers MUST be faked. */
export async function playAsks(plan: AskPlan): Promise<PlayedAsks> {
  const world = new World(plan);
  await world.start();
  for (const { step, loops } of plan.steps) {
    world.take(step);
    for (let loop = 0; loop < loops; loop += 1) await nextLoop();
    await world.goOn();
  }
  return world.end();
}

class World {
  readonly #plan: AskPlan;
  readonly #stores = memoryStores();
  readonly #payments: Payment[] = [];
  readonly #taken: TakenAnswer[] = [];
  readonly #outcomes: PlayedAsks['outcomes'][number][] = [];
  readonly #asked: string[] = [];
  #running: (() => void)[] = [];
  #calls: { readonly gone: AbortController; readonly process: MortalProcess; isOver: boolean }[] = [];
  #process = new MortalProcess(undefined);
  #assistant: Assistant | undefined;
  #deaths = 0;
  #now = 1_000_000;
  #writes = 0;

  constructor(plan: AskPlan) {
    this.#plan = plan;
  }

  /** Starts a process over what the last one has stored. */
  async start(): Promise<void> {
    const process = new MortalProcess(this.#plan.deaths[this.#deaths]);
    this.#process = process;
    this.#running = [];
    const { journal } = this.#stores;
    const interrupted = interruptedCalls(await journal.unfinished());
    const kept = new Set<string>();
    await recoverJournal(journal, recordingLogger(), { now: this.#now, retentionMs: 1e9, kept });
    const tool = fakeTool({
      execute: async ({ amount }, { callId, user: { id } }) => {
        this.#payments.push({ callId, user: id, amount });
        await new Promise<void>((resolve) => this.#running.push(resolve));
        return { value: { callId } };
      },
      timeoutMs: 1e6,
    });
    const { assistant } = testAssistant({
      model: {
        ...{ model: 'none', provider: 'none', isDemo: false, close: () => Promise.resolve() },
        run: () => Promise.reject(new Error('no model is asked')),
      },
      toolList: [tool],
      now: () => this.#now,
      confirmationTimeoutMs: heldMs,
      ...process.owns({ ...this.#stores, journal: this.#failing(journal) }),
    });
    assistant.direct.interrupted(interrupted);
    this.#assistant = assistant;
  }

  /** After a death the next process starts. */
  async goOn(): Promise<void> {
    if (!this.#process.isDead) return;
    this.#deaths += 1;
    await this.start();
  }

  take(step: AskStep): void {
    if (step.kind === 'call') void this.#call(step);
    else if (step.kind === 'answer') void this.#answer(step);
    else if (step.kind === 'leave') this.#calls.at(-1 - step.call)?.gone.abort(new Error('the client has gone'));
    else if (step.kind === 'finish') this.#running.shift()?.();
    else this.#pass(step.ms);
  }

  /** Lets everything end: actions return, questions expire, approvals lapse. */
  async end(): Promise<PlayedAsks> {
    for (let round = 0; round < 12; round += 1) {
      for (const finish of this.#running.splice(0)) finish();
      // More loops than any chain of steps has.
      for (let loop = 0; loop < 10; loop += 1) await nextLoop();
      await this.goOn();
      // A call waits for its answer for up to 45 seconds.
      this.#pass(round < 4 ? heldMs : 15_000);
    }
    for (let loop = 0; loop < 10; loop += 1) await nextLoop();
    const { journal } = this.#stores;
    const rows = await Promise.all(this.#asked.map((actionId) => journal.find(actionId)));
    return {
      payments: this.#payments,
      taken: this.#taken,
      outcomes: this.#outcomes,
      rows: [...rows.filter((row) => row !== undefined), ...(await journal.unfinished())],
      deaths: this.#deaths,
      silent: this.#calls.filter(({ isOver, process }) => !isOver && !process.isDead).length,
    };
  }

  async #call({ user: name, amount, names, reply }: Extract<AskStep, { kind: 'call' }>): Promise<void> {
    const principal = signedIn(name);
    const gone = new AbortController();
    const call = { gone, process: this.#process, isOver: false };
    this.#calls.push(call);
    const outcome = await this.#assistant?.direct.call(
      {
        ...{ name: 'close_case', argumentsValue: { amount }, signal: gone.signal, progress: () => undefined },
        ...(names ? { question: this.#asked.at(-1), reply } : {}),
      },
      { channel: 'mcp', principal, counted: principal, canConfirm: true, credential: 'of the program' },
    );
    call.isOver = true;
    if (outcome === undefined) throw new Error('the action is not offered');
    this.#outcomes.push({ user: name, amount, outcome });
    if ('question' in outcome && !this.#asked.includes(outcome.question.actionId)) {
      this.#asked.push(outcome.question.actionId);
    }
  }

  async #answer({ user: name, approved, question, twice }: Extract<AskStep, { kind: 'answer' }>): Promise<void> {
    const actionId = this.#asked.at(-1 - question);
    const questions = this.#assistant?.direct.questions;
    if (actionId === undefined || questions === undefined) return;
    const visitor = { principal: signedIn(name), credential: 'of the browser' };
    const answer = async (): Promise<void> => {
      const { proof = '' } = await questions.read(actionId, visitor);
      await questions.answer({ actionId, approved, proof, presenter: name, requestId: 'r' }, visitor);
      this.#taken.push({ actionId, user: name, approved });
    };
    // A refused answer is as good as none.
    await Promise.allSettled(twice ? [answer(), answer()] : [answer()]);
  }

  #pass(ms: number): void {
    this.#now += ms;
    vi.advanceTimersByTime(ms);
  }

  /** The journal, which reports some of its steps as failed. */
  #failing<Journal extends object>(journal: Journal): Journal {
    const durable = ['requested', 'answered', 'executing', 'done'];
    return new Proxy(journal, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        const act = (given: unknown[]): unknown => Reflect.apply(member, target, given);
        if (!durable.includes(String(name))) return (...given: unknown[]) => act(given);
        return async (...given: unknown[]): Promise<unknown> => {
          this.#writes += 1;
          const failure = this.#plan.failures.find(({ step }) => step === this.#writes);
          if (failure?.isMade !== false) await act(given);
          if (failure !== undefined) throw new Error('the store has failed');
          return undefined;
        };
      },
    });
  }
}
