import { untilRetry } from '../base/until-retry.ts';
import { untilStopped } from '../base/until-stopped.ts';
import type { Clock } from '../ports/clock.ts';
import type { ConfirmationJournal, JournalEntry } from '../ports/confirmation-journal.ts';
import { StepRefused } from '../ports/step-refused.ts';
import type { Tape } from '../record/tape.ts';
import { untilHeld } from '../record/until-held.ts';

/** Milliseconds for which a question waits for a store that fails or does not answer. Later it is not put any more. */
const longestOutageMs = 4_000;

/** A question is not put, because the store failed or did not answer for too long. */
export class QuestionNotStored extends Error {}

/** How long the store may fail or be silent until a question is put. */
class OutageLimit {
  readonly #tooLate = new AbortController();
  readonly #timer = setTimeout(() => {
    this.#tooLate.abort(new QuestionNotStored('the store did not take the question in time'));
  }, longestOutageMs).unref();

  /** Aborted once it is too late. */
  get signal(): AbortSignal {
    return this.#tooLate.signal;
  }

  /**
   * Asks the store until it answers.
   * @throws QuestionNotStored once it is too late.
   */
  async answer<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let attempts = 0; ; attempts += 1) {
      try {
        return await untilStopped(work(), this.signal);
      } catch (cause) {
        this.signal.throwIfAborted();
        await untilRetry(attempts);
        if (this.signal.aborted) throw new QuestionNotStored('the store failed for too long', { cause });
      }
    }
  }

  /** Call it once the question is put, or is not put any more. */
  end(): void {
    clearTimeout(this.#timer);
  }
}

/**
 * What the store answers before somebody is asked. A question that was put by an earlier process is not new, and waits for as long as it takes.
 * @throws QuestionNotStored once it is too late; the reason of `signal`.
 */
export async function storeAnswers<Result>(
  work: () => Promise<Result>,
  { signal, isNew }: { readonly signal: AbortSignal; readonly isNew: boolean },
): Promise<Result> {
  if (!isNew) return untilStopped(untilHeld(work), signal);
  // What else is waited for before a question, such as a rule of the host, is no fault of the store. So the time of each look is its own.
  const limit = new OutageLimit();
  try {
    return await untilStopped(limit.answer(work), signal);
  } finally {
    limit.end();
  }
}

interface Storing {
  /** The tape of the turn that asks. */
  readonly tape?: Pick<Tape, 'hold' | 'flush'>;
  /** Called once the row is stored: puts the question on the tape. Throws when nobody is to be asked any more. */
  readonly tell: () => void;
}

/**
 * Stores a question that nobody is told of before: its row, and then the event of the turn that asks. Whoever finds the row without the
 * event knows that nobody was asked.
 * @throws Error when it is too late. The store may have the question all the same, so the caller withdraws it.
 */
export async function storeInTime(
  entry: JournalEntry,
  journal: ConfirmationJournal,
  { tape, tell }: Storing,
): Promise<void> {
  const limit = new OutageLimit();
  const { signal } = limit;
  const stored = untilStored(entry, journal, { tape, signal }).then(() => {
    signal.throwIfAborted();
    tell();
    return tape?.flush();
  });
  try {
    await untilStopped(stored, signal);
  } finally {
    limit.end();
  }
}

/**
 * Sees to it that a question that was not put can never be answered, whatever the store has of it by now or later. It MUST be called after
 * the last attempt to store it. Never rejects, and is tried until the store takes it.
 */
export async function withdrawQuestion(
  entry: JournalEntry,
  { journal, clock }: { readonly journal: ConfirmationJournal; readonly clock: Clock },
): Promise<void> {
  await untilHeld(() => journal.withdrawn(entry, clock.now()));
}

async function untilStored(
  entry: JournalEntry,
  journal: ConfirmationJournal,
  { tape, signal }: { readonly tape: Storing['tape']; readonly signal: AbortSignal },
): Promise<void> {
  for (let attempts = 0; ; attempts += 1) {
    try {
      await journal.requested(entry, tape?.hold());
      return;
    } catch (error) {
      if (error instanceof StepRefused && (await isStored(entry, journal))) return;
      // Without a turn nothing else refuses a row.
      if (error instanceof StepRefused && tape === undefined) throw error;
    }
    // While the store does not have the lines of the turn it refuses the row.
    await tape?.flush();
    await untilRetry(attempts);
    // Whoever waits may have withdrawn the question by now, so it is not made again.
    signal.throwIfAborted();
  }
}

/** Whether an earlier attempt was made although its answer was lost. The row is known by its ids, which no other question has. */
async function isStored(entry: JournalEntry, journal: ConfirmationJournal): Promise<boolean> {
  const row = await untilHeld(() => journal.find(entry.actionId));
  return row?.callId === entry.callId && row.turnId === entry.turnId;
}
