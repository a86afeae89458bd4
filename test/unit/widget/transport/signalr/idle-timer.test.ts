import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { IdleTimer } from '../../../../../src/widget/transport/signalr/idle-timer.ts';
import { limited } from '../../../../../src/widget/transport/signalr/limited.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a timer of silence', () => {
  it('goes off when nothing happened for so long, and again', () => {
    let calls = 0;
    const timer = new IdleTimer(1000, () => (calls += 1));
    timer.start();
    for (let count = 0; count < 9; count += 1) {
      vi.advanceTimersByTime(500);
      timer.touch();
    }
    expect(calls).toBe(0);
    vi.advanceTimersByTime(2000);
    expect(calls).toBe(2);
    timer.stop();
    vi.advanceTimersByTime(9000);
    expect(calls).toBe(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('that the browser holds back is made up for by whoever looks', () => {
    let calls = 0;
    const timer = new IdleTimer(1000, () => (calls += 1));
    timer.start();
    vi.setSystemTime(Date.now() + 500);
    timer.check();
    expect(calls).toBe(0);
    // The clock advances, but the timers do not run.
    const now = performance.now();
    const clock = vi.spyOn(performance, 'now').mockReturnValue(now + 1001);
    timer.check();
    timer.check();
    expect(calls).toBe(1);
    clock.mockRestore();
    timer.stop();
  });
});

describe('work with a limit', () => {
  /** Work that ends when its signal aborts. */
  const untilAborted = (signal: AbortSignal): Promise<never> =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        reject(signal.reason as Error); // given below, or by the limit
      });
    });

  it('is told to end after its time', async () => {
    const work = limited(1000, new AbortController().signal, untilAborted);
    const ended = expect(work).rejects.toThrow('took too long');
    await vi.advanceTimersByTimeAsync(1000);
    await ended;
  });

  it('is told to end when nobody wants it any more, and not begun after that', async () => {
    const abort = new AbortController();
    const ended = expect(limited(1000, abort.signal, untilAborted)).rejects.toThrow('enough');
    abort.abort(new Error('enough'));
    await ended;
    await expect(limited(1000, abort.signal, () => Promise.resolve(1))).rejects.toThrow('enough');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('leaves no timer when it is done', async () => {
    expect(await limited(1000, new AbortController().signal, () => Promise.resolve(1))).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});
