import { confirmationState } from '../../confirmations/confirmation-state.ts';
import type { ConfirmationAnswer } from '../../confirmations/edited-arguments.ts';
import { HelperError } from '../../errors/helper-error.ts';
import type { Principal } from '../../identity/principal.ts';
import type { TurnServices } from '../live/turn-services.ts';
import type { TakeUp } from './take-up.ts';

/** What was answered. */
export interface AnsweredConfirmation {
  readonly actionId: string;
  readonly outcome: 'approved' | 'declined';
}

/** Answers open confirmations of this process, those of earlier processes included (contract/confirmations.md#answering). */
export class AnswerConfirmation {
  readonly #calls: Pick<TurnServices['calls'], 'openConfirmations' | 'journal'>;
  readonly #takeUp: TakeUp;

  constructor(calls: Pick<TurnServices['calls'], 'openConfirmations' | 'journal'>, takeUp: TakeUp) {
    this.#calls = calls;
    this.#takeUp = takeUp;
  }

  /** As `Assistant.answerConfirmation`. */
  async take(answer: ConfirmationAnswer, caller: Principal): Promise<AnsweredConfirmation> {
    const { actionId } = answer;
    const { openConfirmations } = this.#calls;
    const { askedCount } = this.#takeUp;
    const answered = async () => ({ actionId, outcome: await openConfirmations.answer(answer, caller) });
    try {
      return await answered().catch(async (error: unknown) => {
        if (!isNothingToAnswer(error) || !(await this.#untilAskedAgain(actionId, askedCount))) throw error;
        return answered();
      });
    } catch (error) {
      if (!isNothingToAnswer(error)) throw error;
      throw await this.#withOutcome(error, actionId, caller);
    }
  }

  /**
   * Waits until the question of an earlier process is put again. Resolves with false when there is nothing to wait for. `askedBefore` is how
   * many turns had put their questions again when the question was not found.
   */
  async #untilAskedAgain(actionId: string, askedBefore: number): Promise<boolean> {
    const row = await this.#calls.journal.find(actionId).catch(() => undefined);
    if (row?.state !== 'requested') return false;
    const hasWaited = await this.#takeUp.untilAsked(row.turnId);
    return hasWaited || this.#takeUp.askedCount !== askedBefore;
  }

  /** Adds the outcome of a confirmation that was answered before, when the caller may know it. */
  async #withOutcome(error: HelperError, actionId: string, caller: Principal): Promise<HelperError> {
    const state = await confirmationState(this.#calls.journal, actionId, caller).catch(() => undefined);
    if (state === undefined || state.outcome === 'open') return error;
    const { outcome, action } = state;
    return new HelperError(error.code, error.message, {
      cause: error,
      details: { outcome, ...(action && { action }) },
    });
  }
}

function isNothingToAnswer(error: unknown): error is HelperError {
  return error instanceof HelperError && error.code === 'nothing_to_answer';
}
