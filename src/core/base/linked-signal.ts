/** A signal that aborts with another one, after a time, or when it is told to. `release` MUST be called once nobody needs it any more. */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  /** Whether its time was over before anything else aborted it. */
  readonly isLate: boolean;
  abort(reason: Error): void;
  /** Lets go of the other signal and of the time, so that neither keeps this signal. */
  release(): void;
}

/**
 * Links a signal to `other` and to a time of `ms` milliseconds; null: no time. It does what `AbortSignal.any` with `AbortSignal.timeout`
 * does. Those two stay in memory until the time is over, which is long after most of what it limits has ended.
 */
export function linkedSignal(other: AbortSignal, ms: number | null): LinkedSignal {
  const controller = new AbortController();
  let isLate = false;
  const onAbort = (): void => {
    controller.abort(other.reason);
  };
  const timer =
    ms === null
      ? undefined
      : setTimeout(() => {
          isLate = !controller.signal.aborted;
          controller.abort(new DOMException(`no answer within ${String(ms)} ms`, 'TimeoutError'));
        }, ms).unref();
  if (other.aborted) onAbort();
  else other.addEventListener('abort', onAbort, { once: true });
  return {
    signal: controller.signal,
    get isLate() {
      return isLate;
    },
    abort: (reason) => {
      controller.abort(reason);
    },
    release: () => {
      clearTimeout(timer);
      other.removeEventListener('abort', onAbort);
    },
  };
}
