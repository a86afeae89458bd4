/**
 * Gives the outcome of host code that takes no signal, such as a hook, unless the turn is stopped first. What the code does after a Stop
 * has no effect here.
 * @throws what the code throws, or the signal's reason.
 */
export async function untilStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const stopped = Promise.withResolvers<never>();
  const onAbort = (): void => {
    stopped.reject(signal.reason);
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([stopped.promise, work]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
