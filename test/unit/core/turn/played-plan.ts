import fc from 'fast-check';
import { vi } from 'vitest';
import type { Session } from '../../../../src/core/sessions/session.ts';
import { OpenConfirmations } from '../../../../src/core/confirmations/open-confirmations.ts';
import { anonymousPrincipal } from '../../../../src/core/identity/principal.ts';
import type { ChatMessage, ChatModel } from '../../../../src/core/ports/chat-model.ts';
import type { ConfirmationJournal, JournalRow } from '../../../../src/core/ports/confirmation-journal.ts';
import type { TurnStore } from '../../../../src/core/ports/turn-store.ts';
import type { SnapshotSealer } from '../../../../src/core/ports/snapshot-sealer.ts';
import { SessionSnapshots } from '../../../../src/core/sessions/snapshot/session-snapshots.ts';
import { Toolbox } from '../../../../src/core/tools/toolbox.ts';
import type { Tool } from '../../../../src/core/tools/tool.ts';
import type { Turn, TurnResult } from '../../../../src/core/turn/live/turn.ts';
import { call } from '../../../support/fake-model.ts';
import { fakeTool } from '../../../support/fake-tool.ts';
import { memoryStores } from '../../../support/memory-stores.ts';
import { recordingMetrics } from '../../../support/quiet.ts';
import { type ReadEvent, readTurn, testAssistant, type TurnReader } from '../../../support/test-assistant.ts';

const tools = ['write', 'failing_write', 'read', 'made_up'] as const;
const sessionCount = 2;
const confirmationTimeoutMs = 3_600_000;

const often = ['send', 'startNow'] as const;
const copies = ['save', 'restore'] as const;
const seldom = ['stop', 'newConversation', 'leave', 'comeBack', 'comeBackLate', 'takeOver', 'close'] as const;

/** One act of a user or a connection, and the number of steps of the schedule before it. */
const act = fc.record({
  kind: fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(...often) },
    { weight: 3, arbitrary: fc.constantFrom(...seldom) },
    { weight: 3, arbitrary: fc.constantFrom(...copies) },
  ),
  session: fc.nat(sessionCount - 1),
  after: fc.nat(15),
});

export const planArbitrary = fc.record({
  /** The tools of each round of the model, one after the other; then it only talks. */
  rounds: fc.array(fc.array(fc.constantFrom(...tools), { maxLength: 3 }), { maxLength: 6 }),
  acts: fc.array(act, { maxLength: 8 }),
  /** The answers to the questions, in the order of the questions. If there are more questions, the list begins again. */
  answers: fc.array(fc.constantFrom('approve', 'decline', 'both', 'twice', 'expire', 'nothing'), { minLength: 1 }),
  /**
   * The number of the write to the stores that fails, if any. `isFailingStepMade` says whether the store has made it before the failure.
   */
  failingStep: fc.option(fc.nat(16), { nil: undefined }),
  isFailingStepMade: fc.boolean(),
  disconnectGraceMs: fc.constantFrom(0, 60_000),
  /** `hitlMode: Native`: open questions are in the snapshots that are saved and restored. */
  native: fc.boolean(),
});

export type Plan = typeof planArbitrary extends fc.Arbitrary<infer Value> ? Value : never;

/** A write as it began. */
export interface ExecutedWrite {
  readonly callId: string;
  /** The row of the journal at that moment. */
  readonly row: JournalRow | undefined;
  /** Whether the turn of the write was stopped already. */
  readonly stopped: boolean;
}

/** Everything that can be seen of a plan that was played to its end. */
export interface PlayedPlan {
  readonly turns: readonly {
    readonly turn: Turn;
    readonly result: TurnResult | 'none';
    readonly log: readonly ReadEvent[];
  }[];
  /** The readers, each with the seq after which it began. */
  readonly readers: readonly { readonly turnId: string; readonly reader: TurnReader; readonly afterSeq: number }[];
  readonly writes: readonly ExecutedWrite[];
  /** Answers that were accepted. */
  readonly accepted: readonly { readonly actionId: string; readonly outcome: string }[];
  readonly histories: readonly (readonly ChatMessage[])[];
  readonly unfinished: readonly JournalRow[];
  /** The number of free places for questions of each session. */
  readonly freePlaces: readonly number[];
  readonly runningTurns: number;
}

/** Plays a plan on the real core. The scheduler decides when each wait outside the core ends. Needs vitest's timers. */
export async function playPlan(plan: Plan, scheduler: fc.Scheduler): Promise<PlayedPlan> {
  const player = new PlanPlayer(plan, scheduler);
  await player.play();
  return player.seen();
}

class PlanPlayer {
  readonly #plan: Plan;
  readonly #scheduler: fc.Scheduler;
  readonly #stores = memoryStores();
  readonly #kept = this.#stores.journal;
  readonly #openConfirmations: OpenConfirmations;
  readonly #assistant: ReturnType<typeof testAssistant>['assistant'];
  readonly #snapshots: SessionSnapshots;
  readonly #sessions: readonly Session[];
  #saved: string | undefined;
  readonly #turns: { turn: Turn; result: TurnResult | 'none' }[] = [];
  readonly #current = new Map<Session, TurnReader>();
  readonly #readers: { turnId: string; reader: TurnReader; afterSeq: number }[] = [];
  readonly #writes: ExecutedWrite[] = [];
  readonly #accepted: { actionId: string; outcome: string }[] = [];
  readonly #histories: (readonly ChatMessage[])[] = [];
  #writtenSteps = 0;
  /** Stores make changes in the order in which they were called. */
  #writing: Promise<unknown> = Promise.resolve();
  #now = Date.now();
  #rounds = 0;
  #questions = 0;

  constructor(plan: Plan, scheduler: fc.Scheduler) {
    this.#plan = plan;
    this.#scheduler = scheduler;
    const journal = this.#slowJournal();
    this.#openConfirmations = new OpenConfirmations(journal, () => this.#now);
    const toolList = [
      this.#writingTool('write', () => ({ value: 'done' })),
      this.#writingTool('failing_write', () => Promise.reject(new Error('no'))),
      fakeTool({ name: 'read', readOnly: true, execute: () => this.#wait('read').then(() => ({ value: 1 })) }),
    ];
    const { assistant } = testAssistant({
      model: this.#model(),
      toolList,
      turns: this.#slowTurns(),
      hitlMode: plan.native ? 'Native' : 'Blocking',
      journal,
      openConfirmations: this.#openConfirmations,
      confirmationTimeoutMs,
      clock: { now: () => this.#now, elapsed: () => performance.now() },
      disconnectGraceMs: plan.disconnectGraceMs,
    });
    this.#assistant = assistant;
    this.#snapshots = new SessionSnapshots({
      sealer: this.#slowSealer(),
      journal,
      toolbox: () => new Toolbox(toolList),
      asksAgain: plan.native,
      cards: { enableGenerativeCards: true, cardHosts: { images: [], links: [] } },
      metrics: recordingMetrics(),
    });
    this.#sessions = Array.from({ length: sessionCount }, () => this.#open());
  }

  #open(): Session {
    const session = this.#assistant.openSession({
      channel: 'hub',
      onCopy: (turn) => {
        this.#follow(turn, session);
      },
    });
    return session;
  }

  async play(): Promise<void> {
    for (const planned of [{ kind: 'send', session: 0, after: 0 } as const, ...this.#plan.acts])
      void this.#perform(planned);
    await this.#idle();
    for (const session of this.#sessions) session.close('connection-closed');
    await this.#idle(() => this.#turns.every(({ result }) => result !== 'none'));
    // What was not put is withdrawn beside the turn, also where the store fails at that.
    await vi.advanceTimersByTimeAsync(100);
    await this.#idle();
    await new Promise((resolve) => setImmediate(resolve));
  }

  /**
   * Waits until nothing is left to schedule and `isOver` returns true. The clock repeats a failed write, so the scheduler alone does not
   * show the end.
   */
  async #idle(isOver = () => true): Promise<void> {
    for (let attempt = 0; attempt < 100; attempt += 1) {
      await this.#scheduler.waitIdle();
      if (isOver()) return;
      await vi.advanceTimersByTimeAsync(50);
    }
  }

  async seen(): Promise<PlayedPlan> {
    const logs = await Promise.all(
      this.#turns.map(async ({ turn, result }) => {
        const ended = await this.#assistant.findTurn(turn.id, anonymousPrincipal('test'));
        return { turn, result, log: ended === undefined ? [] : readTurn(ended).events };
      }),
    );
    const runningTurns = this.#assistant.runningTurns;
    await this.#assistant.close();
    return {
      turns: logs,
      readers: this.#readers,
      writes: this.#writes,
      accepted: this.#accepted,
      histories: this.#histories,
      unfinished: await this.#kept.unfinished(),
      freePlaces: this.#sessions.map(({ principal }) => this.#freePlaces(principal.userKey)),
      runningTurns,
    };
  }

  #wait(label: string): Promise<unknown> {
    return this.#scheduler.schedule(Promise.resolve(), label);
  }

  async #perform({ kind, session, after }: Plan['acts'][number]): Promise<void> {
    for (let step = 0; step <= after; step += 1) await this.#wait(kind);
    const acting = this.#sessions[session];
    if (acting !== undefined) this.#act(kind, acting);
  }

  #act(kind: Plan['acts'][number]['kind'], session: Session): void {
    const turn = session.activeTurn;
    switch (kind) {
      case 'send':
        void session.send({ text: 'go' }).then((sent) => {
          this.#follow(sent, session);
        });
        break;
      case 'startNow':
        this.#follow(session.startNow({ text: 'go' }), session);
        break;
      case 'stop':
        session.stop('user').catch(() => undefined);
        break;
      case 'newConversation':
        session.newConversation();
        break;
      case 'leave':
        this.#current.get(session)?.leave();
        break;
      case 'comeBack':
        if (turn !== undefined) this.#read(turn, session, Math.floor(turn.lastSeq / 2));
        break;
      case 'comeBackLate':
        if (turn !== undefined) this.#read(turn, session, turn.lastSeq);
        break;
      case 'takeOver':
        this.#takeOver(session);
        break;
      case 'save':
        void this.#snapshots.save(session).then((saved) => {
          this.#saved = saved;
        });
        break;
      case 'restore':
        // The restore is refused while a turn runs and after the session is closed.
        if (this.#saved !== undefined) this.#snapshots.restore(session, this.#saved).catch(() => undefined);
        break;
      case 'close':
        session.close('connection-closed');
    }
  }

  #takeOver(session: Session): void {
    const other = this.#sessions.find((candidate) => candidate !== session)?.activeTurn;
    if (other === undefined) return;
    this.#read(other, session, other.lastSeq);
    session.adopt(other);
  }

  #follow(turn: Turn, session: Session): void {
    const entry: { turn: Turn; result: TurnResult | 'none' } = { turn, result: 'none' };
    this.#turns.push(entry);
    void turn.result.then((result) => {
      entry.result = result;
    });
    this.#read(turn, session, 0);
  }

  #read(turn: Turn, session: Session, afterSeq: number): void {
    const reader = readTurn(turn, afterSeq);
    this.#readers.push({ turnId: turn.id, reader, afterSeq });
    this.#current.set(session, reader);
  }

  /** Handles a question that has reached its user. The plan decides the answer, and the scheduler decides its time. */
  #asked(actionId: string): void {
    const answer = this.#plan.answers[this.#questions % this.#plan.answers.length];
    this.#questions += 1;
    if (answer === 'approve' || answer === 'both' || answer === 'twice') this.#answer(actionId, true);
    if (answer === 'twice') this.#answer(actionId, true);
    if (answer === 'decline' || answer === 'both') this.#answer(actionId, false);
    if (answer === 'expire') {
      void this.#wait('expire').then(() => {
        this.#now += confirmationTimeoutMs;
        this.#answer(actionId, true);
      });
    }
  }

  #answer(actionId: string, approved: boolean): void {
    void this.#wait(approved ? 'approve' : 'decline')
      .then(() => this.#assistant.answerConfirmation({ actionId, approved }, anonymousPrincipal('test')))
      .then(
        (accepted) => this.#accepted.push(accepted),
        () => undefined,
      );
  }

  #model(): ChatModel {
    return {
      model: 'planned',
      provider: 'test',
      isDemo: false,
      close: () => Promise.resolve(),
      run: async ({ messages, toolChoice, signal }, sink) => {
        this.#histories.push([...messages]);
        await this.#wait('model');
        signal.throwIfAborted();
        sink.text('word ');
        await this.#wait('model');
        signal.throwIfAborted();
        const round = toolChoice === 'none' ? [] : (this.#plan.rounds[this.#rounds] ?? []);
        this.#rounds += 1;
        const toolCalls = round.map((name, index) => call(name, {}, String(index)));
        return {
          text: 'word ',
          toolCalls,
          usage: { inputTokens: 1, outputTokens: 1 },
          model: 'planned',
          finish: 'stop',
        };
      },
    };
  }

  #writingTool(name: string, execute: () => { value: unknown } | Promise<never>): Tool {
    return fakeTool({
      name,
      execute: async (_arguments, { callId, signal }) => {
        const stopped = signal.aborted;
        const rows = await this.#kept.ofCall(callId);
        const row = rows.find(({ answer }) => answer === 'approved' || answer === 'declined');
        this.#writes.push({ callId, row, stopped });
        await this.#wait(name);
        return execute();
      },
    });
  }

  /** A sealer that takes time and does not encrypt. `aes-snapshot-sealer.test.ts` tests the real sealer. */
  #slowSealer(): SnapshotSealer {
    return {
      seal: (content) => this.#wait('seal').then(() => JSON.stringify(content)),
      open: (sealed) => this.#wait('open').then((): unknown => JSON.parse(sealed)),
    };
  }

  /** The stores take their time before each write and after it, and may fail once. */
  async #write(name: string, write: () => Promise<void>): Promise<void> {
    const number = this.#writtenSteps;
    this.#writtenSteps += 1;
    const before = this.#writing;
    const written = before.then(async () => {
      await this.#wait(name);
      const fails = number === this.#plan.failingStep;
      if (!fails || this.#plan.isFailingStepMade) await write();
      if (fails) throw new Error('disk full');
    });
    this.#writing = written.catch(() => undefined);
    await written;
    await this.#wait(name);
  }

  #slowTurns(): TurnStore {
    const { turns } = this.#stores;
    return {
      create: (...given) => this.#write('create', () => turns.create(...given)),
      append: (...given) => this.#write('append', () => turns.append(...given)),
      end: (...given) => this.#write('end', () => turns.end(...given)),
      ids: () => turns.ids(),
      read: (turnId) => turns.read(turnId),
      headers: (asked) => turns.headers(asked),
      claim: (turnId) => turns.claim(turnId),
      delete: (turnIds) => turns.delete(turnIds),
      forget: (...given) => turns.forget(...given),
    };
  }

  #slowJournal(): ConfirmationJournal {
    const kept = this.#kept;
    const step = (name: string, write: () => Promise<void>): Promise<void> => this.#write(name, write);
    return {
      requested: async (entry, under) => {
        await step('requested', () => kept.requested(entry, under));
        this.#asked(entry.actionId);
      },
      withdrawn: (...given) => step('withdrawn', () => kept.withdrawn(...given)),
      answered: (...given) => step('answered', () => kept.answered(...given)),
      executing: (...given) => step('executing', () => kept.executing(...given)),
      retried: (id) => kept.retried(id),
      done: (...given) => step('done', () => kept.done(...given)),
      find: (id) => kept.find(id),
      ofCall: (callId) => kept.ofCall(callId),
      ofTurn: (turnId) => kept.ofTurn(turnId),
      unfinished: () => kept.unfinished(),
      waiting: () => kept.waiting(),
      ranSince: (...given) => kept.ranSince(...given),
      dropUnapproved: (...given) => kept.dropUnapproved(...given),
      rename: (...given) => kept.rename(...given),
      purge: (before) => kept.purge(before),
      close: () => kept.close(),
    };
  }

  #freePlaces(userKey: string): number {
    let places = 0;
    while (this.#openConfirmations.reserve(userKey)) places += 1;
    return places;
  }
}
