/** The longest wait between two attempts, in milliseconds. */
const longestMs = 2_000;

/** Resolves when a write that has failed `attempts` times is to be tried again: soon at first, later every two seconds. */
export function untilRetry(attempts: number): Promise<void> {
  const ms = Math.min(longestMs, 50 * 2 ** Math.min(attempts, 10));
  const { promise, resolve } = Promise.withResolvers<undefined>();
  // The timer does not keep the process alive, so a process that ends does not wait for its store.
  setTimeout(() => resolve(undefined), ms).unref();
  return promise;
}
