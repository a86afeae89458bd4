import { atMost } from '../base/at-most.ts';
import { canonicalJson } from '../base/canonical-json.ts';
import { hintedId } from '../base/hinted-id.ts';
import { randomId } from '../base/random-id.ts';
import { untilStopped } from '../base/until-stopped.ts';
import { QuestionNotStored, storeInTime, withdrawQuestion } from '../calls/store-in-time.ts';
import { type Decision, OpenConfirmations } from '../confirmations/open-confirmations.ts';
import { heldMs } from '../confirmations/ran-before.ts';
import { HelperError } from '../errors/helper-error.ts';
import type { JournalRow } from '../ports/confirmation-journal.ts';
import { untilHeld } from '../record/until-held.ts';
import { outcomeText } from '../tools/tool-outcome.ts';
import {
  type AskedCall,
  askedText,
  type AskingCall,
  entryOfCall,
  interruptedCall,
  keyOfCall,
  outcomeAgain,
  outcomeOfEnd,
  outcomeOfRow,
  outcomeWaiting,
  requestOf,
} from './asked-call.ts';
import { CallsElsewhere } from './calls-elsewhere.ts';
import type { DirectOutcome, EndedOutcome } from './direct-call.ts';
import { HeldCalls } from './held-calls.ts';
import { reportAsked, reportOf } from './report-asked.ts';
import { boundRows, knownOfSame, rememberedOutcome, runAsked } from './run-asked.ts';
import type { DirectServices } from './run-direct.ts';

/** How long a call waits for the answer to its question, in milliseconds. Clients give up after a minute. */
const longestWaitMs = 45_000;
/** How long a call that is stopped waits for what has come of its action, in milliseconds. The server closes a second after the stop. */
const lastWordMs = 500;
/** The most calls that wait for one answer. */
const mostWaiting = 10;

/** The longest arguments that a user is asked about, in characters of JSON. */
const longestArguments = 64 * 1024;

/**
 * Calls without a turn whose user has to answer on a page first (contract/mcp-server.md#confirmations). The first call opens the question.
 * A later call of the same user with the same action and arguments takes its outcome: the one that finds an approval runs the action, and
 * all others get the outcome of that run. The journal lets a call begin only once, in whatever process.
 */
export class AskedCalls {
  readonly #services: () => DirectServices;
  readonly #held = new HeldCalls({
    drop: (asked) => void this.#lapse(asked),
    freed: (key) => {
      this.elsewhere.freed(key);
    },
  });
  /** Which replica has the question about a call. */
  readonly elsewhere: CallsElsewhere;
  readonly #ending = new AbortController();
  #confirmations: OpenConfirmations | undefined;

  constructor(services: () => DirectServices) {
    this.#services = services;
    this.elsewhere = new CallsElsewhere(
      () => services().calls.questionNames,
      (key) => this.isHeld(key),
    );
  }

  /** The open questions. Their journal stays the same when the configuration changes. */
  get open(): OpenConfirmations {
    const { journal, clock } = this.#services().calls;
    return (this.#confirmations ??= new OpenConfirmations(journal, () => clock.now()));
  }

  /** What came of a call that needs an answer, or that the question still waits. Rejects only with faults of this server. */
  async outcomeOf(asking: AskingCall): Promise<DirectOutcome> {
    const { question } = asking.call;
    const key = keyOfCall(asking);
    const asked = question === undefined ? this.#held.waitingFor(key) : this.#held.byId(question);
    if (asked !== undefined) return asked.key === key ? this.#follow(asked, asking) : { status: 'unknown-question' };
    if (question === undefined) return this.#askUnlessRan(asking, key);
    const { journal } = this.#services().calls;
    return rememberedOutcome(asking, { actionId: question, key, waitMs: longestWaitMs }, journal);
  }

  /** Asks, unless the journal knows that the same call ran lately. */
  async #askUnlessRan(asking: AskingCall, key: string): Promise<DirectOutcome> {
    const { outcome, repeats } = await knownOfSame(asking, this.#heldMs());
    // Another call may have asked meanwhile.
    const held = this.#held.waitingFor(key);
    if (held !== undefined) return this.#follow(held, asking);
    return outcome ?? this.#ask({ ...asking, repeats }, key);
  }

  /** The question of this id, unless this process does not hold it. */
  find(actionId: string): AskedCall | undefined {
    return this.#held.byId(actionId);
  }

  /** Whether this process has a question under this key whose outcome nobody was told yet. */
  isHeld(key: string): boolean {
    return this.#held.waitingFor(key) !== undefined;
  }

  /** Remembers calls that a crash interrupted, so that the next call of the same user with the same arguments is told. */
  interrupted(rows: readonly JournalRow[]): void {
    for (const row of rows) {
      if (row.owner === null) continue;
      const asked = interruptedCall({ ...row, owner: row.owner });
      this.#held.add(asked);
      this.#keep(asked);
    }
  }

  /** Ends all questions that are open, for a server that shuts down. */
  async close(): Promise<void> {
    this.#ending.abort(new Error('the server is shutting down'));
    await Promise.allSettled(this.#held.all().map(({ decision }) => decision));
  }

  /**
   * Ends what is held of a user whose data is erased (contract/sessions.md#erasing): open questions, approvals that no call has used, and
   * outcomes. Resolves with false when an approved action still runs after `waitMs` milliseconds.
   */
  async forget(userKey: string, waitMs: number): Promise<boolean> {
    const own = this.#held.all().filter(({ owner }) => owner === userKey);
    const ended = own.map(async (asked) => {
      if (isOpen(asked)) {
        asked.withdraw();
        await asked.decision;
      }
      if (asked.state === 'begun') await asked.outcome?.catch(() => undefined);
      await this.#lapse(asked);
    });
    await atMost(waitMs, Promise.all(ended));
    return own.every(({ state }) => state === 'over');
  }

  async #ask(asking: AskingCall, key: string): Promise<DirectOutcome> {
    const { principal } = asking.caller;
    if (canonicalJson(asking.call.argumentsValue).length > longestArguments) {
      return { status: 'refused', told: askedText.tooLong };
    }
    if (this.#ending.signal.aborted) return { status: 'cancelled', told: outcomeText.cancelled };
    if (!this.open.reserve(principal.userKey)) return { status: 'refused', told: outcomeText.tooManyOpen };
    const asked = this.#opened(asking, key);
    try {
      await asked.stored;
    } catch (error) {
      this.open.withdraw(asked.actionId);
      this.#held.forget(asked);
      throw error;
    }
    reportAsked(asking);
    return outcomeWaiting(asked, asking.call);
  }

  /** Opens the question. Calls that come before the journal has it find it here. */
  #opened(asking: AskingCall, key: string): AskedCall {
    const { chosen, call, caller } = asking;
    const { journal, clock, replica } = chosen.services.calls;
    const [actionId, requestedAt, withdrawal] = [hintedId(replica), clock.now(), new AbortController()];
    const expiresAt = requestedAt + this.#heldMs();
    const { argumentsValue } = call;
    const decision = this.open.open(actionId, {
      ...{ callId: chosen.callId, userKey: caller.principal.userKey, owner: caller.principal, argumentsValue },
      ...{ canRemember: false, checkEdited: undefined, requestedAt, expiresAt },
      signal: AbortSignal.any([withdrawal.signal, this.#ending.signal]),
      mayAnswer: () => true,
      stoppedBy: () => (withdrawal.signal.aborted ? 'user' : 'system'),
      // The next call of the client runs the action, with the rights that its caller has then.
      executing: () => undefined,
    });
    const entry = entryOfCall(asking, { actionId, callId: chosen.callId, requestedAt });
    const tell = (): void => {
      if (!this.open.isOpen(actionId)) throw new QuestionNotStored('the question is over');
    };
    const stored = storeInTime(entry, journal, { tell });
    // The store may have the question although it has failed. Nobody was told of it, so nobody may answer it.
    stored.catch(() => withdrawQuestion(entry, { journal, clock }));
    const asked: AskedCall = {
      ...{ actionId, callId: chosen.callId, key, owner: caller.principal.userKey, credential: caller.credential },
      program: caller.program,
      ...{ title: chosen.tool.title, proof: randomId(), fingerprint: chosen.tool.fingerprint, decision },
      request: requestOf(asking, { actionId, expiresAt }),
      stored,
      withdraw: () => {
        withdrawal.abort(new Error('the user has dismissed the question'));
      },
      ...{ state: 'open', outcome: undefined, waiting: 0, timer: undefined, endedAt: undefined, wasTold: false },
      repeats: asking.repeats,
    };
    this.#held.add(asked);
    // Registered before any call waits for the decision, so that every waiting call sees the state that follows from it.
    const report = reportOf(asked, asking);
    void decision.then((decided) => {
      this.#decided(asked, decided);
      if (decided !== 'lost') report(decided, Math.max(0, clock.now() - requestedAt));
    });
    return asked;
  }

  #decided(asked: AskedCall, decision: Decision): void {
    asked.request = undefined;
    if (decision === 'lost') asked.outcome = this.#outcomeByJournal(asked);
    else if (decision.outcome !== 'approved') asked.outcome = Promise.resolve(outcomeOfEnd(decision.outcome));
    asked.state = asked.outcome === undefined ? 'approved' : 'over';
    if (asked.state === 'over') boundRows(asked.owner, this.#services().calls.journal);
    this.#keep(asked);
  }

  /** A later call about a question that is held. */
  async #follow(asked: AskedCall, asking: AskingCall): Promise<DirectOutcome> {
    const { stop } = asking.chosen;
    const isAgain = asked.wasTold && asking.call.question === undefined;
    await asked.stored;
    if (isOpen(asked)) await this.#answered(asked, asking);
    if (hasGone(stop)) return outcomeOfStop(asked);
    if (isOpen(asked)) return outcomeWaiting(asked, asking.call);
    const outcome = await untilStopped(this.#outcome(asked, asking), stop).catch(() => undefined);
    if (outcome === undefined) return outcomeOfStop(asked);
    // Who has gone was told nothing, so the next call of the same kind gets the outcome. So it does where the action ran: what was told may
    // have been lost on its way.
    if (!hasGone(stop)) {
      asked.wasTold = true;
      if (!hasRun(outcome)) this.#held.told(asked);
    }
    if (!isAgain || asked.endedAt === undefined) return outcome;
    return outcomeAgain(outcome, { at: asked.endedAt, until: asked.endedAt + this.#heldMs() });
  }

  /** The outcome of a decided question. Nothing is awaited between the look at the state and its change: one call alone finds an approval. */
  #outcome(asked: AskedCall, asking: AskingCall): Promise<EndedOutcome> {
    if (asked.state === 'approved') {
      asked.state = 'begun';
      clearTimeout(asked.timer);
      asked.outcome = runAsked(asked, asking, () => this.#outcomeByJournal(asked)).finally(() => {
        asked.state = 'over';
        asked.endedAt = asking.chosen.services.calls.clock.now();
        this.#keep(asked);
      });
    }
    return asked.outcome ?? this.#outcomeByJournal(asked);
  }

  /** Takes what the client says that its user did, or waits for the answer. */
  async #answered(asked: AskedCall, { chosen, call, caller }: AskingCall): Promise<void> {
    const { actionId, decision } = asked;
    if (call.reply === 'declined') {
      await this.open.answer({ actionId, approved: false }, caller.principal).catch(orOver);
      await decision;
    } else if (call.reply === 'dismissed') {
      asked.withdraw();
      await decision;
    } else if (asked.waiting < mostWaiting) {
      asked.waiting += 1;
      // A stop ends the wait. Whoever has called sees it by the signal.
      await atMost(
        longestWaitMs,
        untilStopped(decision, chosen.stop).catch(() => undefined),
      );
      asked.waiting -= 1;
    }
  }

  /**
   * The outcome of a call that the journal knows better than this process. The journal may have an approval that it had reported as failed:
   * its user was told so and did not approve again, so the approval does not count.
   */
  async #outcomeByJournal({ actionId }: AskedCall): Promise<EndedOutcome> {
    const { journal, clock } = this.#services().calls;
    const row = await untilHeld(() => journal.find(actionId));
    if (row?.state === 'answered') {
      await untilHeld(() => journal.done(actionId, 'cancelled', clock.now(), ['answered'])).catch(() => undefined);
    }
    return row === undefined ? { status: 'cancelled', told: askedText.restarted } : outcomeOfRow(row);
  }

  /** Keeps an approval, or an outcome, for the call that asks for it. */
  #keep(asked: AskedCall): void {
    clearTimeout(asked.timer);
    asked.timer = setTimeout(() => void this.#lapse(asked), this.#heldMs()).unref();
    this.#held.bound(asked.owner);
  }

  /** Forgets a call. An approval that nobody has used ends: nothing runs long after its user has said yes. Never rejects. */
  async #lapse(asked: AskedCall): Promise<void> {
    this.#held.forget(asked);
    if (asked.state !== 'approved') return;
    asked.state = 'over';
    asked.outcome = Promise.resolve({ status: 'cancelled', told: askedText.lapsed });
    const { journal, clock } = this.#services().calls;
    await untilHeld(() => journal.done(asked.actionId, 'cancelled', clock.now(), ['answered'])).catch(() => undefined);
  }

  #heldMs(): number {
    return heldMs(this.#services().calls.confirmationTimeoutMs);
  }
}

/** Whether this is the outcome of an action that ran and is not to be run again by a program alone. */
function hasRun({ status }: EndedOutcome): boolean {
  return status === 'succeeded' || status === 'unknown';
}

/** Whether the caller has gone, or the server ends its calls. */
function hasGone({ aborted }: AbortSignal): boolean {
  return aborted;
}

/** What a call is told that the server ends, or whose client has gone. An action that has begun may have taken effect. */
async function outcomeOfStop(asked: AskedCall): Promise<EndedOutcome> {
  // An action that heeds the stop ends now, and so does the wait for one that does not.
  if (asked.outcome !== undefined) await atMost(lastWordMs, asked.outcome);
  if (asked.state === 'over' && asked.outcome !== undefined) return asked.outcome;
  return asked.state === 'begun'
    ? { status: 'unknown', told: outcomeText.unknown }
    : { status: 'cancelled', told: outcomeText.cancelled };
}

function isOpen({ state }: AskedCall): boolean {
  return state === 'open';
}

function orOver(error: unknown): void {
  if (!(error instanceof HelperError) || error.code !== 'nothing_to_answer') throw error;
}
