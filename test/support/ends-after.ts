import { expect, vi } from 'vitest';

/**
 * Resolves with what `start` comes to. Expects that it waits for exactly `ms` milliseconds. Timers and
 * limits of `AbortSignal.timeout` are fake meanwhile; with 0 none of them ends, so what waits for one never comes to anything.
 */
export async function endsAfter<Outcome>(ms: number, start: () => Promise<Outcome>): Promise<Outcome> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const limits = vi.spyOn(AbortSignal, 'timeout').mockImplementation((limitMs) => {
    const limit = new AbortController();
    setTimeout(() => limit.abort(new DOMException('the time is over', 'TimeoutError')), limitMs);
    return limit.signal;
  });
  try {
    let isOver = false;
    const outcome = start().finally(() => (isOver = true));
    if (ms > 0) {
      await vi.advanceTimersByTimeAsync(ms - 1);
      expect(isOver).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
    }
    return await outcome;
  } finally {
    limits.mockRestore();
    vi.useRealTimers();
  }
}
