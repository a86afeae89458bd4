/**
 * Where an error happened, for the log. The error itself is not logged: its words, fields and cause may hold the key, or texts that the
 * model was sent.
 */
export function faultPlace(error: unknown): Error | undefined {
  if (!(error instanceof Error)) return undefined;
  const copy = new Error('');
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  copy.name = error.name;
  copy.stack = [error.name, ...frames].join('\n');
  return copy;
}
