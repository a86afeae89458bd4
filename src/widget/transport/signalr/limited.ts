/**
 * Runs `work` for at most so many milliseconds, and no longer than `signal` allows: the signal it is given aborts then. The
 * work has to obey it.
 */
export async function limited<Result>(
  milliseconds: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const abort = new AbortController();
  const onAbort = (): void => abort.abort(signal.reason);
  const timer = setTimeout(() => abort.abort(new Error('took too long')), milliseconds);
  signal.addEventListener('abort', onAbort);
  try {
    return await work(abort.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

/** Resolves when the work has ended, however it did, and after so many milliseconds in any case. */
export async function atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work.catch(() => undefined), late]);
  clearTimeout(timer);
}

/** As the work ends, but not longer than the signal allows; what cannot be stopped goes on by itself. */
export function unlessAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error); // whoever aborts gives one
    });
    work.then(resolve, reject);
  });
}
