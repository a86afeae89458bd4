import { withoutQueries } from '../../core/errors/hidden-query.ts';

const longestDescription = 500;

/** What was thrown, as one line for a startup fault: a code frame or a stack would bury the fact. Addresses are without their query. */
export function describeError(error: unknown): string {
  const firstLine = textOf(error)
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '');
  return withoutQueries(firstLine ?? 'no message').slice(0, longestDescription);
}

/** Code may throw anything, even what has no text or breaks when it is read. */
function textOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message || error.name : error);
  } catch {
    return '';
  }
}
