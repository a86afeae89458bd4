import { HelperError } from '../errors/helper-error.ts';

/** The store does not take an answer. */
export function storageUnavailable(cause: unknown): HelperError {
  return new HelperError('storage_unavailable', 'The answer cannot be stored now. Try again in a moment.', { cause });
}

/** An unknown id and a question that is over give the same fault, so that nobody can tell them apart (wire-5-07). */
export function nothingToAnswer(): HelperError {
  return new HelperError(
    'nothing_to_answer',
    'No confirmation waits for this answer: it was answered, stopped or closed.',
  );
}
