/**
 * Runs `work` for at most the given milliseconds, and no longer than `signal` allows. After that the signal which `work` received aborts,
 * and `work` has to obey it.
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

/** Resolves when the work has ended in any way, and after the given milliseconds at the latest. */
export async function atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work.catch(() => undefined), late]);
  clearTimeout(timer);
}

/**
 * Settles as the work does, or rejects when the signal aborts. Work that cannot be stopped continues after the abort, and its result is
 * ignored.
 */
export function unlessAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error); // every caller aborts with an error
    });
    work.then(resolve, reject);
  });
}
