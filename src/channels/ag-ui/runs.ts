import type { Assistant } from '../../core/assistant.ts';
import { HelperError } from '../../core/errors/helper-error.ts';
import type { Principal } from '../../core/identity/principal.ts';
import type { Turn } from '../../core/turn/live/turn.ts';
import { SaidBefore, type SaidBeforeOptions } from '../shared/said-before.ts';
import { ClientTools } from './client-tools.ts';
import { KnownRuns } from './known-runs.ts';
import {
  type AnsweredCall,
  answersIn,
  type AskedRun,
  askedIn,
  nothingShown,
  pageIn,
  type RunInput,
} from './read-input.ts';
import { type GivenAnswer, giveAnswers, readAnswers } from './resume.ts';
import { customEvent, type RunEvent } from './run-events.ts';
import { Threads } from './threads.ts';
import type { TurnRun } from './turn-run.ts';

export interface RunsOptions extends SaidBeforeOptions {
  readonly assistant: Assistant;
  /** The sentences, in the configured language, that take back a text, and that tell that a turn was interrupted. */
  readonly texts: { readonly withdrawn: string; readonly interrupted: string };
}

/** Who sends a request. */
export interface RunCaller {
  readonly principal: Principal;
  readonly authorization: string | undefined;
  /** The key by which turns of callers without a name are counted. */
  readonly address: string;
  readonly traceparent: string | undefined;
}

/** The turn that a request reads, and what is told before. Undefined: what the request asks about is over. */
export interface OpenedRun {
  readonly run: TurnRun | undefined;
  readonly first: readonly RunEvent[];
}

/** The turns of clients of AG-UI (contract/ag-ui.md#runs). */
export class Runs {
  readonly #options: RunsOptions;
  readonly #threads: Threads;
  readonly #known: KnownRuns;
  readonly #saidBefore: SaidBefore;

  constructor(options: RunsOptions) {
    this.#options = options;
    this.#threads = new Threads(options.assistant, options.clock);
    this.#known = new KnownRuns(options.clock);
    this.#saidBefore = new SaidBefore(options);
  }

  /**
   * Begins a turn, or goes on with the one that waits for what the request brings.
   * @throws HelperError `invalid_request` for a request that says nothing; `nothing_to_answer`, `unauthenticated` or `not_owner` for one that
   * brings what nothing of its caller waits for; and as `Assistant.answerConfirmation`.
   */
  async open(input: RunInput, caller: RunCaller): Promise<OpenedRun> {
    const answers = readAnswers(input.resume ?? []);
    if (answers.length > 0) return this.#resume(answers, input, caller);
    const calls = answersIn(input);
    if (calls.length > 0) return this.#goOn(calls, input, caller);
    // A client that was loaded again knows nothing of what its user was asked.
    const before = this.#threads.find(input.threadId, caller)?.run;
    return this.#beginAfter(before?.isLeftAsking === true ? before : undefined, input, caller);
  }

  /** Ends all conversations. */
  close(): void {
    this.#threads.close();
  }

  /** Begins a turn, once the one is over that its user leaves for it. A message that says nothing leaves nothing. */
  async #beginAfter(left: TurnRun | undefined, input: RunInput, caller: RunCaller): Promise<OpenedRun> {
    const asked = askedIn(input);
    await left?.turn.stop('user');
    await left?.turn.result;
    return this.#begin(asked, input, caller);
  }

  #begin(asked: AskedRun, input: RunInput, { traceparent, ...caller }: RunCaller): OpenedRun {
    const { message, messageId, earlier } = asked;
    const { page: shown, leftOut } = pageIn(input);
    const known = this.#threads.find(input.threadId, caller);
    const thread = known ?? this.#threads.begin(input.threadId, caller);
    const { session, tools } = thread;
    const isBusy = session.activeTurn !== undefined;
    // What is shown no more must not stay: a conversation keeps its page until it is told another one.
    const page = shown ?? (thread.hasContext === true ? nothingShown : undefined);
    thread.hasContext = shown !== undefined;
    if (known === undefined) this.#saidBefore.takeUp(session, earlier);
    // The turn that runs keeps its tools.
    const refused = [...leftOut, ...(isBusy ? [] : tools.offer(input.tools ?? []))];
    const turn = session.startNow(message, { traceparent, ...(page === undefined ? {} : { page }) });
    if (caller.principal.kind !== 'signed-in') {
      void turn.result.then(() => {
        session.close('connection-closed');
      });
    }
    const run = this.#read(turn, { tools, messageId, isTakenUp: false });
    this.#saidBefore.note(message.text, caller.principal, turn);
    if (!isBusy) thread.run = run;
    return { run, first: told('LeftOut', refused) };
  }

  /** Goes on with the turn that waits for the client's own tools. */
  #goOn(calls: readonly AnsweredCall[], input: RunInput, caller: RunCaller): OpenedRun {
    const waiting = this.#known.waitingFor(new Set(calls.map(({ callId }) => callId)), caller.principal);
    if (waiting.length > 1) throw new HelperError('invalid_request', 'These results are of more than one run.');
    // A call that took too long is over, and its turn has gone on.
    const run = waiting[0] ?? this.#threads.find(input.threadId, caller)?.run;
    const isOver = run === undefined || run.isTold || (waiting.length === 0 && run.isRead);
    if (isOver) throw new HelperError('nothing_to_answer', 'No call of a tool of this client waits for an answer.');
    const leftOut = run.offer(input.tools);
    for (const { callId, ...answer } of calls) run.uiActions.answer(callId, answer);
    return { run, first: told('LeftOut', leftOut) };
  }

  async #resume(answers: readonly GivenAnswer[], input: RunInput, caller: RunCaller): Promise<OpenedRun> {
    const { principal } = caller;
    const run = await this.#turnOf(answers, principal);
    if (answers.every(({ isLeft }) => isLeft) && this.#asksAnew(input, run, caller)) {
      return this.#beginAfter(run, input, caller);
    }
    // An approved call may run before this run is opened, so the tools come first.
    const leftOut = run?.offer(input.tools) ?? [];
    const onTaken = (actionId: string): void => run?.answered(actionId);
    const refused = await giveAnswers(this.#options.assistant, { answers, caller: principal, onTaken });
    // A client must answer all questions before it may send anything else, so its own results come beside the answers.
    for (const { callId, ...answer } of answersIn(input)) run?.uiActions.answer(callId, answer);
    const unread = run?.messageId !== undefined && this.#asksAnew(input, run, caller) ? [messageLeftOut] : [];
    const first = [...told('LeftOut', [...leftOut, ...unread]), ...told('AnswersRefused', refused)];
    return { run: run?.isTold === true ? undefined : run, first };
  }

  /** Whether the user has left the questions of a run and says something else. */
  #asksAnew({ messages, threadId }: RunInput, run: TurnRun | undefined, caller: RunCaller): boolean {
    const last = messages.at(-1);
    const before = run ?? this.#threads.find(threadId, caller)?.run;
    return last?.role === 'user' && last.id !== undefined && last.id !== before?.messageId;
  }

  /**
   * The turn that has asked all these questions. Undefined for questions of other channels, and for those that are over and were left
   * without an answer.
   * @throws HelperError as `Assistant.confirmation`; `overloaded` while a restarted server takes the turn up.
   */
  async #turnOf(answers: readonly GivenAnswer[], caller: Principal): Promise<TurnRun | undefined> {
    const runs = await Promise.all(answers.map((answer) => this.#turnThatAsked(answer, caller)));
    const [run, ...others] = new Set(runs.filter((one) => one !== undefined));
    if (others.length > 0)
      throw new HelperError('invalid_request', 'These questions are of more than one run. Answer them one by one.');
    return run;
  }

  async #turnThatAsked({ answer: { actionId }, isLeft }: GivenAnswer, caller: Principal): Promise<TurnRun | undefined> {
    const known = this.#known.thatAsked(actionId, caller);
    if (known !== undefined) return known;
    try {
      const turn = await this.#options.assistant.turnOfConfirmation(actionId, caller);
      if (turn === 'later') throw new HelperError('overloaded', 'The server has just started. Answer again.');
      // A turn of another channel has a reader there. It is answered, and not read.
      if (turn === undefined || turn.channel !== 'agui') return undefined;
      return this.#read(turn, { tools: new ClientTools(), messageId: undefined, isTakenUp: true });
    } catch (error) {
      if (isLeft && error instanceof HelperError && error.code === 'nothing_to_answer') return undefined;
      throw error;
    }
  }

  #read(turn: Turn, how: Omit<Parameters<KnownRuns['read']>[1], 'texts'>): TurnRun {
    return this.#known.read(turn, { ...how, texts: this.#options.texts });
  }
}

const messageLeftOut = { reason: 'A message beside answers is not read. Send it when this run has ended.' };

function told(name: string, values: readonly object[]): readonly RunEvent[] {
  return values.length === 0 ? [] : [customEvent(name, values)];
}
