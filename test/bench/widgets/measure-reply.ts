import type { Browser, CDPSession } from 'playwright-core';
import { openChat, openProduct, waitForReply, write } from './open-product.ts';
import type { Contestant } from './products.ts';
import { questions } from './reply-streams.ts';
import { lastWord } from './reply-text.ts';

/** What the long reply costs a page whose main thread is four times slower than this machine's. */
export interface ReplyFigures {
  /** The time of all work of the main thread, from Enter until nothing is left to do. */
  readonly mainThreadSeconds: number;
  /** Layout and styles among it. What scripts take is not told: the browser does not count all of their time. */
  readonly layoutSeconds: number;
  /** The longest time in which the page could not answer a click. */
  readonly longestTaskMs: number;
  /** The heap in MiB after a garbage collection. */
  readonly heapMiB: number;
  readonly nodes: number;
}

const slowdown = 4;

/** Keeps the longest task in `longestTask`, from when it is set to 0. */
const watchTasks = `
  globalThis.longestTask = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longestTask = Math.max(longestTask, duration);
  }).observe({ type: 'longtask' });`;

/** Asks for the long reply and measures it until its last word is shown. @throws when it is not. */
export async function measureReply(browser: Browser, { product, url }: Contestant): Promise<ReplyFigures> {
  const opened = await openProduct(browser, product, { slowdown });
  const { page, session } = opened;
  try {
    // The time is that of the thread alone, so other work of the machine does not count.
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    await page.goto(url, { waitUntil: 'networkidle' });
    await openChat(opened, product);
    await write(opened, questions.long);
    await page.evaluate(watchTasks);
    const before = await metricsOf(session);
    await page.keyboard.press('Enter');
    await waitForReply(opened, lastWord);
    const after = await metricsOf(session);
    const longestTaskMs = await page.evaluate<number>('longestTask');
    const spent = (...names: readonly string[]): number =>
      names.reduce((sum, name) => sum + (after[name] ?? Number.NaN) - (before[name] ?? Number.NaN), 0);
    await session.send('HeapProfiler.collectGarbage');
    await session.send('HeapProfiler.collectGarbage');
    const collected = await metricsOf(session);
    return {
      mainThreadSeconds: spent('TaskDuration'),
      layoutSeconds: spent('LayoutDuration', 'RecalcStyleDuration'),
      longestTaskMs,
      heapMiB: (collected['JSHeapUsedSize'] ?? Number.NaN) / 2 ** 20,
      nodes: collected['Nodes'] ?? Number.NaN,
    };
  } finally {
    await opened.close();
  }
}

async function metricsOf(session: CDPSession): Promise<Readonly<Record<string, number>>> {
  const { metrics } = await session.send('Performance.getMetrics');
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
}
