import { setTimeout as wait } from 'node:timers/promises';

/** Whether the condition becomes true within `limitMs` milliseconds. */
export async function until(isTrue: () => boolean | Promise<boolean>, limitMs: number): Promise<boolean> {
  const startedAt = performance.now();
  for (;;) {
    if (await isTrue()) return true;
    if (performance.now() - startedAt > limitMs) return false;
    await wait(20);
  }
}
