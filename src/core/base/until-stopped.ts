/**
 * Gives the outcome of host code that takes no signal, such as a hook, unless the turn is stopped first. What the code does after a Stop
 * has no effect here.
 * @throws what the code throws, or the signal's reason.
 */
export function untilStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  // Neither a race nor `finally`: hooks run in each turn, and those make six promises more.
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const onAbort = (): void => {
    reject(signal.reason);
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  const ended = <Outcome>(settle: (outcome: Outcome) => void) => {
    return (outcome: Outcome): void => {
      signal.removeEventListener('abort', onAbort);
      settle(outcome);
    };
  };
  void work.then(ended(resolve), ended(reject));
  return promise;
}
