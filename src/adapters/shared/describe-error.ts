import { withoutQueries } from '../../core/errors/hidden-query.ts';

const longestDescription = 500;

/** An error as one line for a startup fault. A code frame or a stack would hide the important words. Addresses lose their query. */
export function describeError(error: unknown): string {
  const firstLine = textOf(error)
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '');
  return withoutQueries(firstLine ?? 'no message').slice(0, longestDescription);
}

/** The text of a thrown value. Code may throw anything, even a value that has no text or that throws when it is read. */
function textOf(error: unknown): string {
  try {
    // A connection that failed at each address of a host has its reasons inside, and no words of its own.
    if (error instanceof AggregateError && error.message === '' && error.errors.length > 0)
      return textOf(error.errors[0]);
    return String(error instanceof Error ? error.message || error.name : error);
  } catch {
    return '';
  }
}
