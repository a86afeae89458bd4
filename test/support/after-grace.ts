import { setImmediate as nextLoop } from 'node:timers/promises';
import { expect, vi } from 'vitest';

/**
 * Does `leave`, and lets a server of this process wait for the grace of `ms` milliseconds that begins when it notices that. Expects that
 * `isOver` is false until the grace ends. Timers are fake meanwhile.
 */
export async function afterGrace(ms: number, leave: () => void, isOver: () => boolean): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  // Not a spy: all spies are restored once more at the end of a file, which would bring the fake timers back.
  const setFake = globalThis.setTimeout;
  const delays: unknown[] = [];
  const watched = (ring: () => void, delayMs?: number): NodeJS.Timeout => {
    delays.push(delayMs);
    return setFake(ring, delayMs);
  };
  globalThis.setTimeout = Object.assign(watched, setFake);
  try {
    leave();
    while (!delays.includes(ms)) await nextLoop();
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(isOver()).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
  } finally {
    globalThis.setTimeout = setFake;
    vi.useRealTimers();
  }
}
