import { HelperError } from '../errors/helper-error.ts';
import { requireOwner } from '../identity/owner-check.ts';
import type { Principal } from '../identity/principal.ts';
import type { ConfirmationJournal } from '../ports/confirmation-journal.ts';
import type { ArgumentCheck } from '../tools/tool.ts';
import type { ConfirmationDecider, ConfirmationOutcome } from '../turn/turn-event.ts';
import { canonicalJson, hashArguments } from './canonical-json.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** How a confirmation was decided, and by whom. */
export interface ConfirmationDecision {
  readonly outcome: ConfirmationOutcome;
  readonly by: ConfirmationDecider;
  /** The arguments to run with, when the user changed them. */
  readonly edited?: Arguments;
  /** The user does not want to be asked about this tool again in this session. */
  readonly remember?: boolean;
  /** Who answered, and by which request: for the log. */
  readonly presenter?: string;
  readonly requestId?: string | undefined;
  /** The same call was answered under another id: where a snapshot was saved, or where one was restored (wire.md 5). */
  readonly elsewhere?: boolean;
}

/** What the user answers (wire.md 5). */
export interface ConfirmationAnswer {
  readonly actionId: string;
  readonly approved: boolean;
  readonly remember?: boolean;
  readonly arguments?: Arguments;
  /** Who answers, as the log names it: a user key or the keyed hash of an address. Left out: the caller's user key. */
  readonly presenter?: string;
  /** The request that brought the answer, for the log. */
  readonly requestId?: string;
}

export interface OpenConfirmation {
  readonly callId: string;
  readonly userKey: string;
  readonly argumentsValue: Arguments;
  readonly canRemember: boolean;
  /** Undefined: the arguments cannot be changed. */
  readonly checkEdited: ((value: Arguments) => ArgumentCheck) | undefined;
  /** Who alone may answer; undefined for one whose `actionId` is the capability (SSE). */
  readonly owner: Principal | undefined;
  /** `owner`: who answered, as known at that moment. */
  readonly decide: (decision: ConfirmationDecision, owner?: Principal) => void;
}

/** Most confirmations one user may have open at a time (wire.md 3). */
export const maxOpenConfirmationsPerUser = 20;

/**
 * The questions that wait for an answer in this process. Taking an entry out is the decision: JavaScript runs one thing
 * at a time, so of an answer, a Stop and an expiry at the same moment exactly one finds it (wire.md 5).
 */
export class OpenConfirmations {
  readonly #journal: ConfirmationJournal;
  readonly #now: () => number;
  readonly #open = new Map<string, OpenConfirmation>();
  readonly #openByUser = new Map<string, number>();
  /** Of turns that go on in the next process. */
  readonly #left = new Set<string>();

  constructor(journal: ConfirmationJournal, now: () => number) {
    this.#journal = journal;
    this.#now = now;
  }

  /**
   * Takes one of the user's places before anything is awaited, so that calls side by side cannot all see the last one
   * free. False: none is left. A place is given back by the decision, or by `release` when it never came to a question.
   */
  reserve(userKey: string): boolean {
    const open = this.#openByUser.get(userKey) ?? 0;
    if (open >= maxOpenConfirmationsPerUser) return false;
    this.#openByUser.set(userKey, open + 1);
    return true;
  }

  release(userKey: string): void {
    const left = (this.#openByUser.get(userKey) ?? 1) - 1;
    if (left === 0) this.#openByUser.delete(userKey);
    else this.#openByUser.set(userKey, left);
  }

  /** Puts a question whose place was reserved up for its answer. */
  open(actionId: string, confirmation: OpenConfirmation): void {
    this.#open.set(actionId, confirmation);
  }

  isOpen(actionId: string): boolean {
    return this.#open.has(actionId);
  }

  /** Leaves an open question to the next process: here nothing answers or ends it any more. */
  leave(actionId: string): void {
    if (this.#take(actionId) !== undefined) this.#left.add(actionId);
  }

  /**
   * @throws HelperError `nothing_to_answer` for an id that is unknown, answered or over; `unauthenticated` or `not_owner`
   * when it is not the caller's.
   */
  requireAnswerable(actionId: string, caller: Principal): void {
    if (this.#left.has(actionId))
      throw new HelperError('server_draining', 'The server restarts: answer once it is back.');
    const confirmation = this.#open.get(actionId);
    if (confirmation === undefined) throw nothingToAnswer();
    if (confirmation.owner !== undefined) requireOwner(confirmation.owner, caller);
  }

  /**
   * The user's answer. Resolves once it is durable; only then does the waiting call go on. When the journal cannot take
   * it, the call ends as cancelled: no action runs without an approval that would survive a crash.
   * @throws HelperError as `requireAnswerable` does, and `invalid_request` for what this confirmation does not allow,
   * which answers nothing.
   */
  async answer(answer: ConfirmationAnswer, caller: Principal): Promise<'approved' | 'declined'> {
    const { actionId } = answer;
    this.requireAnswerable(actionId, caller);
    const confirmation = this.#open.get(actionId);
    if (confirmation === undefined) throw nothingToAnswer();
    const edited = editedArguments(answer, confirmation);
    this.#take(actionId);
    const outcome = answer.approved ? 'approved' : 'declined';
    try {
      await this.#journal.answered(actionId, { answer: outcome, by: 'user', ...journalled(edited) }, this.#now());
    } catch (error) {
      await this.#loseTo(actionId, confirmation);
      throw new HelperError('internal', 'The answer could not be stored, so the action was not run.', { cause: error });
    }
    const decision: ConfirmationDecision = {
      outcome,
      by: 'user',
      remember: answer.approved && answer.remember === true,
      presenter: answer.presenter ?? caller.userKey,
      requestId: answer.requestId,
      ...(edited === undefined ? {} : { edited }),
    };
    confirmation.decide(decision, confirmation.owner === undefined ? undefined : caller);
    for (const [copyId, { callId }] of this.#open) if (callId === confirmation.callId) void this.#endCopy(copyId);
    return outcome;
  }

  /**
   * Ends a question whose answer the journal did not take.
   * @throws HelperError `nothing_to_answer` when the call was answered under another id first.
   */
  async #loseTo(actionId: string, confirmation: OpenConfirmation): Promise<void> {
    const decided = await this.#journal.decided(confirmation.callId).catch(() => undefined);
    const elsewhere = decided !== undefined && decided.actionId !== actionId;
    if (elsewhere) await this.abandon(actionId);
    confirmation.decide({ outcome: 'cancelled', by: 'system', elsewhere });
    if (elsewhere) throw nothingToAnswer();
  }

  /** Ends a question whose call was just answered under another id. */
  async #endCopy(actionId: string): Promise<void> {
    const copy = this.#take(actionId);
    await this.abandon(actionId);
    copy?.decide({ outcome: 'cancelled', by: 'system', elsewhere: true });
  }

  /** Ends a question without an answer; nothing happens when it was decided already. Never rejects. */
  async end(actionId: string, outcome: 'expired' | 'cancelled', by: 'user' | 'system'): Promise<void> {
    const confirmation = this.#take(actionId);
    if (confirmation === undefined) return;
    // The call is not run whatever the journal says: a row left open by a fault is closed at the next start.
    await this.#journal.answered(actionId, { answer: outcome, by }, this.#now()).catch(() => undefined);
    confirmation.decide({ outcome, by });
  }

  /** Closes a question of an earlier process that can no longer be put to anyone. */
  async abandon(actionId: string): Promise<void> {
    await this.#journal.answered(actionId, { answer: 'cancelled', by: 'system' }, this.#now()).catch(() => undefined);
  }

  #take(actionId: string): OpenConfirmation | undefined {
    const confirmation = this.#open.get(actionId);
    if (confirmation === undefined) return undefined;
    this.#open.delete(actionId);
    this.release(confirmation.userKey);
    return confirmation;
  }
}

/** The changed arguments; undefined when they are those that were shown. @throws HelperError `invalid_request`. */
function editedArguments(answer: ConfirmationAnswer, confirmation: OpenConfirmation): Arguments | undefined {
  if (answer.remember === true && !confirmation.canRemember) {
    throw refused('This confirmation cannot be remembered: its canRemember is false.');
  }
  if (answer.arguments === undefined) return undefined;
  const { checkEdited } = confirmation;
  if (checkEdited === undefined) {
    throw refused('The arguments of this action cannot be edited: its editable is false.');
  }
  if (!answer.approved) throw refused('Arguments come with an approval only.');
  const check = checkEdited(answer.arguments);
  if (!check.ok) throw refused(`The arguments do not fit: ${check.faults.join('; ')}`);
  return canonicalJson(check.value) === canonicalJson(confirmation.argumentsValue) ? undefined : check.value;
}

function journalled(edited: Arguments | undefined): {
  readonly edited?: { readonly arguments: string; readonly argumentsHash: string };
} {
  if (edited === undefined) return {};
  return { edited: { arguments: canonicalJson(edited), argumentsHash: hashArguments(edited) } };
}

function refused(message: string): HelperError {
  return new HelperError('invalid_request', message);
}

/** An unknown id and one that is over are told apart for nobody (wire.md 5). */
function nothingToAnswer(): HelperError {
  return new HelperError(
    'nothing_to_answer',
    'No confirmation waits for this answer: it was answered, stopped or closed.',
  );
}
