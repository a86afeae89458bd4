const longestDescription = 500;

/** What was thrown, as one line for a startup fault: a code frame or a stack would bury the fact. */
export function describeError(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  const firstLine = text
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '');
  return (firstLine ?? 'no message').slice(0, longestDescription);
}
