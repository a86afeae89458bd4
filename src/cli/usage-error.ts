/** The command line itself was wrong; the message says what to type instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
