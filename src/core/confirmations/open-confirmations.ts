import { HelperError } from '../errors/helper-error.ts';
import type { ConfirmationDecider, ConfirmationOutcome } from '../events/turn-event.ts';
import { requireOwner } from '../identity/owner-check.ts';
import type { Principal } from '../identity/principal.ts';
import type { ConfirmationJournal, JournalAnswer, JournalRow } from '../ports/confirmation-journal.ts';
import { StepRefused } from '../ports/step-refused.ts';
import { untilHeld } from '../record/until-held.ts';
import { nothingToAnswer, storageUnavailable } from './answer-faults.ts';
import { type AnswerRules, type Arguments, type ConfirmationAnswer, editedArguments } from './edited-arguments.ts';
import { type QuestionPage, requirePage } from './question-page.ts';
import { journalled, presentedBy } from './stored-answer.ts';
import { UserPlaces } from './user-places.ts';

/** How a confirmation was decided, and by whom. */
export interface Decided {
  readonly outcome: ConfirmationOutcome;
  readonly by: ConfirmationDecider;
  /** The owner who answered, as known at that moment. */
  readonly principal?: Principal;
  /** The arguments to run with, when the user changed them. */
  readonly edited?: Arguments;
  /** The user does not want to be asked about this tool again in this session. */
  readonly remember?: boolean;
  /** Whether the journal has the call as begun already. */
  readonly isExecuting: boolean;
  /** Who answered, and by which request: for the log. */
  readonly presenter?: string;
  readonly requestId?: string | undefined;
}

/** `lost`: the journal did not take the answer, because it knows better what became of the call. */
export type Decision = Decided | 'lost';

/** A question, as the code that waits for its answer describes it. */
export interface OpenConfirmation {
  readonly callId: string;
  readonly userKey: string;
  readonly argumentsValue: Arguments;
  readonly canRemember: boolean;
  /** Undefined: the arguments cannot be changed. */
  readonly checkEdited: AnswerRules['checkEdited'];
  /** The only caller who may answer. Undefined where the `actionId` is the capability (SSE). */
  readonly owner: Principal | undefined;
  /** The page on which alone the question is answered. Undefined: it is answered where it was told. */
  readonly page?: QuestionPage | undefined;
  /** Epoch milliseconds. Before the start of this process for a question that this process has taken up. */
  readonly requestedAt: number;
  /** Epoch milliseconds; undefined when it does not expire. */
  readonly expiresAt: number | undefined;
  /** Whether its user is still to be told of it. Until `told` it does not expire, since nobody could have answered it. */
  readonly isUntold?: boolean;
  /** Its abort ends the question. */
  readonly signal: AbortSignal;
  /** False once the turn of the question was told to stop, even before the Stop is stored. */
  readonly mayAnswer: () => boolean;
  readonly stoppedBy: () => 'user' | 'system';
  /** What the journal keeps of a call that begins with its approval. Undefined: the call must not begin. */
  readonly executing: (runs: Arguments, principal: Principal | undefined) => JournalAnswer['executing'];
}

interface Waiting extends OpenConfirmation {
  /** The times of approvals that the store reported as failed, in epoch milliseconds. */
  readonly attempts: Set<number>;
  expiry: NodeJS.Timeout | undefined;
  readonly decide: (decision: Decision) => void;
}

/**
 * The questions that wait for an answer in this process. A question is decided by the code that removes its entry. JavaScript runs one
 * thing at a time, so when an answer, a Stop and an expiry come together, exactly one of them finds the entry
 * (contract/confirmations.md#stop).
 */
export class OpenConfirmations {
  readonly #journal: ConfirmationJournal;
  readonly #now: () => number;
  readonly #open = new Map<string, Waiting>();
  readonly #places = new UserPlaces();
  /** The ids of turns that go on in the next process. */
  readonly #suspended = new Set<string>();

  /** `now`: epoch milliseconds. */
  constructor(journal: ConfirmationJournal, now: () => number) {
    this.#journal = journal;
    this.#now = now;
  }

  /** Takes one of the user's places; false: no place is left. The decision, or `withdraw`, gives it back. */
  reserve(userKey: string): boolean {
    return this.#places.take(userKey);
  }

  /** Opens a question that has a place for answers. Resolves once the answer, or another end, is stored. */
  open(actionId: string, confirmation: OpenConfirmation): Promise<Decision> {
    const { promise, resolve } = Promise.withResolvers<Decision>();
    const { signal, isUntold = false } = confirmation;
    const onStop = (): void => {
      void this.#end(actionId, 'cancelled', confirmation.stoppedBy());
    };
    const decide = (decision: Decision): void => {
      clearTimeout(waiting.expiry);
      signal.removeEventListener('abort', onStop);
      resolve(decision);
    };
    // A turn that had left this process may have come back.
    this.#suspended.delete(actionId);
    const waiting: Waiting = { ...confirmation, attempts: new Set(), expiry: undefined, decide };
    this.#open.set(actionId, waiting);
    if (!isUntold) this.told(actionId);
    // A signal that is already aborted sends no event.
    if (signal.aborted) onStop();
    else signal.addEventListener('abort', onStop, { once: true });
    return promise;
  }

  /** The user is told of an open question, which from now on expires at its time. */
  told(actionId: string): void {
    const waiting = this.#open.get(actionId);
    if (waiting?.expiresAt === undefined) return;
    const expire = (): void => void this.#end(actionId, 'expired', 'system');
    // The timer does not keep the process alive, because the next process takes the question up.
    waiting.expiry = setTimeout(expire, Math.max(0, waiting.expiresAt - this.#now())).unref();
  }

  /** The questions that wait for an answer now: whom they ask, and for how many milliseconds they have waited. */
  get waiting(): readonly { readonly userKey: string; readonly waitedMs: number }[] {
    const now = this.#now();
    const waitedMs = (since: number): number => Math.max(0, now - since);
    return [...this.#open.values()].map(({ userKey, requestedAt: at }) => ({ userKey, waitedMs: waitedMs(at) }));
  }

  /** The page of an open question, and whom it asks. Undefined for a question that has none. */
  pageOf(actionId: string): (QuestionPage & { readonly owner: string }) | undefined {
    const { page, userKey } = this.#open.get(actionId) ?? {};
    return page === undefined || userKey === undefined ? undefined : { ...page, owner: userKey };
  }

  isOpen(actionId: string): boolean {
    return this.#open.has(actionId);
  }

  /** Removes a question that was never stored, or whose turn is lost. Nobody may answer it here, and no code waits for it. */
  withdraw(actionId: string): void {
    this.#take(actionId);
  }

  /** The ids of the questions that end with this signal, including questions that are being stored and were not told yet. */
  openWith(signal: AbortSignal): readonly string[] {
    return [...this.#open].filter(([, confirmation]) => confirmation.signal === signal).map(([actionId]) => actionId);
  }

  /** Suspends an open question together with its turn. Afterwards nothing in this process answers or ends the question. */
  suspend(actionId: string): void {
    if (this.#take(actionId) !== undefined) this.#suspended.add(actionId);
  }

  /**
   * Takes the user's answer. Resolves once the answer is stored; only then does the waiting call go on.
   * @throws HelperError `nothing_to_answer` for an id that is unknown, answered or over.
   * @throws HelperError `unauthenticated` or `not_owner` when the question is not the caller's; `forbidden` for an answer that does not come
   * from the page of the question.
   * @throws HelperError `invalid_request` for an answer that the question does not allow. The question stays open.
   * @throws HelperError `storage_unavailable` when the store does not take the answer. An approval may be given again. A decline holds
   * once it is stored.
   * @throws HelperError `server_draining` when the question goes on in the next process.
   */
  async answer(answer: ConfirmationAnswer, caller: Principal): Promise<'approved' | 'declined'> {
    const { actionId } = answer;
    if (this.#suspended.has(actionId)) {
      throw new HelperError('server_draining', 'The server restarts: answer once it is back.');
    }
    const confirmation = this.#open.get(actionId);
    if (confirmation === undefined) throw nothingToAnswer();
    if (confirmation.owner !== undefined) requireOwner(confirmation.owner, caller);
    requirePage(confirmation.page, answer);
    const edited = editedArguments(answer, confirmation);
    await this.#requireOpen(actionId, confirmation);
    const principal = confirmation.owner === undefined ? undefined : caller;
    // When several answers come at the same time, only one of them finds the entry.
    if (!this.#open.delete(actionId)) throw nothingToAnswer();
    if (!answer.approved) return this.#declined(answer, caller, confirmation);
    const presented = presentedBy(answer, caller);
    const executing = confirmation.executing(edited ?? confirmation.argumentsValue, principal);
    const approved: JournalAnswer = {
      answer: 'approved',
      by: 'user',
      who: presented.presenter,
      ...journalled(edited),
      ...(executing === undefined ? {} : { executing }),
    };
    const isExecuting = await this.#approve(actionId, approved, confirmation);
    this.#decide(confirmation, {
      outcome: 'approved',
      by: 'user',
      isExecuting,
      remember: answer.remember === true,
      ...presented,
      ...(principal === undefined ? {} : { principal }),
      ...(edited === undefined ? {} : { edited }),
    });
    this.#endCopies(confirmation.callId);
    return 'approved';
  }

  /** Stores an approval. Resolves with whether the journal has the call as begun. */
  async #approve(actionId: string, approved: JournalAnswer, confirmation: Waiting): Promise<boolean> {
    const at = this.#now();
    try {
      await this.#journal.answered(actionId, approved, at);
      return approved.executing !== undefined;
    } catch (error) {
      if (!(error instanceof StepRefused)) {
        confirmation.attempts.add(at);
        this.#putBack(actionId, confirmation);
        throw storageUnavailable(error);
      }
      const row = await this.#storedBefore(actionId, approved, confirmation);
      if (row === undefined) throw this.#lost(confirmation);
      return row.state === 'executing';
    }
  }

  /** The row that an earlier attempt at the same approval stored, although the store reported a failure. */
  async #storedBefore(
    actionId: string,
    { edited }: JournalAnswer,
    { attempts }: Waiting,
  ): Promise<JournalRow | undefined> {
    if (attempts.size === 0) return undefined;
    const row = await untilHeld(() => this.#journal.find(actionId));
    const isOurs = row?.answer === 'approved' && row.answeredAt !== null && attempts.has(row.answeredAt);
    return isOurs && row.editedArguments === (edited?.arguments ?? null) ? row : undefined;
  }

  /** Opens a question again after its approval could not be stored. The user may answer again, unless the question has ended meanwhile. */
  #putBack(actionId: string, confirmation: Waiting): void {
    this.#open.set(actionId, confirmation);
    const { signal, expiresAt, stoppedBy } = confirmation;
    if (signal.aborted) void this.#end(actionId, 'cancelled', stoppedBy());
    else if (expiresAt !== undefined && this.#now() >= expiresAt) void this.#end(actionId, 'expired', 'system');
  }

  /** A decline holds once it is stored. However long storing takes, the question stays closed. */
  async #declined(answer: ConfirmationAnswer, caller: Principal, confirmation: Waiting): Promise<'declined'> {
    const presented = presentedBy(answer, caller);
    const declined: JournalAnswer = { answer: 'declined', by: 'user', who: presented.presenter };
    const write = (): Promise<void> => this.#journal.answered(answer.actionId, declined, this.#now());
    const decide = (): void => {
      this.#decide(confirmation, { outcome: 'declined', by: 'user', isExecuting: false, ...presented });
      this.#endCopies(confirmation.callId);
    };
    try {
      await write();
    } catch (error) {
      if (error instanceof StepRefused) throw this.#lost(confirmation);
      void untilHeld(write).then(decide, () => this.#lost(confirmation));
      throw storageUnavailable(error);
    }
    decide();
    return 'declined';
  }

  /** Ends a question without an answer, and resolves once the end is stored. Does nothing when the question is decided already. */
  async #end(actionId: string, outcome: 'expired' | 'cancelled', by: 'user' | 'system'): Promise<void> {
    const confirmation = this.#open.get(actionId);
    if (confirmation === undefined) return;
    this.#open.delete(actionId);
    await untilHeld(() => this.#journal.answered(actionId, { answer: outcome, by }, this.#now())).then(
      () => {
        this.#decide(confirmation, { outcome, by, isExecuting: false });
      },
      () => this.#lost(confirmation),
    );
  }

  /** Throws when the question is over. Timers do not run while a machine sleeps, so the time is also compared with the clock. */
  async #requireOpen(actionId: string, { expiresAt, mayAnswer }: Waiting): Promise<void> {
    if (!mayAnswer()) throw nothingToAnswer();
    if (expiresAt === undefined || this.#now() < expiresAt) return;
    await this.#end(actionId, 'expired', 'system');
    throw nothingToAnswer();
  }

  /** Ends the other questions about a call that was answered. They exist because a snapshot has copied the call to another turn. */
  #endCopies(callId: string): void {
    for (const [copyId, copy] of this.#open) {
      if (copy.callId !== callId) continue;
      this.#open.delete(copyId);
      this.#lost(copy);
    }
  }

  #lost(confirmation: Waiting): HelperError {
    this.#decide(confirmation, 'lost');
    return nothingToAnswer();
  }

  #decide(confirmation: Waiting, decision: Decision): void {
    this.#places.giveBack(confirmation.userKey);
    confirmation.decide(decision);
  }

  #take(actionId: string): Waiting | undefined {
    const confirmation = this.#open.get(actionId);
    if (confirmation === undefined) return undefined;
    this.#open.delete(actionId);
    this.#places.giveBack(confirmation.userKey);
    return confirmation;
  }
}
