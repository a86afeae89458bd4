import type { Assistant } from '../../core/assistant.ts';
import { HelperError } from '../../core/errors/helper-error.ts';
import type { Principal } from '../../core/identity/principal.ts';
import type { ResumeEntry } from './read-input.ts';

/** The answer of a user to one question. */
export interface GivenAnswer {
  readonly answer: Parameters<Assistant['answerConfirmation']>[0];
  /** The user has left the question without an answer. */
  readonly isLeft: boolean;
}

/** An answer that was not taken, beside others that were. */
export interface AnswerRefused {
  readonly interruptId: string;
  readonly code: string;
  readonly detail: string;
}

/** @throws HelperError `invalid_request` for an answer that says nothing. */
export function readAnswers(entries: readonly ResumeEntry[]): readonly GivenAnswer[] {
  return entries.map(({ interruptId: actionId, status, payload }) => {
    if (status === 'cancelled') return { answer: { actionId, approved: false }, isLeft: true };
    if (payload?.approved === undefined)
      throw new HelperError(
        'invalid_request',
        'An answer that is resolved needs the payload {approved: true or false}.',
      );
    const { approved, arguments: edited } = payload;
    const answer = { actionId, approved, ...(edited === undefined ? {} : { arguments: edited }) };
    return { answer, isLeft: false };
  });
}

/**
 * Gives the answers one by one. Resolves with those that were not taken. A question that is over needs no answer of a user who has left it.
 * @throws HelperError as `Assistant.answerConfirmation`, where no answer was taken.
 */
export async function giveAnswers(
  assistant: Pick<Assistant, 'answerConfirmation'>,
  {
    answers,
    caller,
    onTaken,
  }: {
    readonly answers: readonly GivenAnswer[];
    readonly caller: Principal;
    readonly onTaken: (actionId: string) => void;
  },
): Promise<readonly AnswerRefused[]> {
  const refused: AnswerRefused[] = [];
  let hasTaken = false;
  for (const { answer, isLeft } of answers) {
    const { actionId } = answer;
    try {
      await assistant.answerConfirmation(answer, caller);
      hasTaken = true;
      onTaken(actionId);
    } catch (error) {
      const fault = error instanceof HelperError ? error : undefined;
      if (isLeft && fault?.code === 'nothing_to_answer') continue;
      if (!hasTaken) throw error;
      const { code, message } = fault ?? { code: 'internal', message: 'The answer could not be taken.' };
      refused.push({ interruptId: actionId, code, detail: message });
    }
  }
  return refused;
}
