import { HelperError } from '../errors/helper-error.ts';

/** The store does not take an answer. */
export function storageUnavailable(cause: unknown): HelperError {
  return new HelperError('storage_unavailable', 'The answer cannot be stored now. Try again in a moment.', { cause });
}

/** Nobody is told whether an id is unknown or its question is over: both are this fault (wire-5-07). */
export function nothingToAnswer(): HelperError {
  return new HelperError(
    'nothing_to_answer',
    'No confirmation waits for this answer: it was answered, stopped or closed.',
  );
}
