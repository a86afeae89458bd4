import { setTimeout as wait } from 'node:timers/promises';

/**
 * Waits until a server that was started answers. Unlike `vi.waitFor` it works outside of tests too.
 * @throws the last error after `limitMs` milliseconds.
 */
export async function untilItAnswers(ask: () => Promise<unknown>, limitMs: number): Promise<void> {
  const startedAt = performance.now();
  for (;;) {
    try {
      await ask();
      return;
    } catch (error) {
      if (performance.now() - startedAt > limitMs) throw error;
      await wait(20);
    }
  }
}
