import { beforeAll, describe } from 'vitest';
import { isHere, lackOf } from '../tools-here.ts';
import { buildRenderer, buildTimeoutMs } from './render-chart.ts';

/** A group of tests that need the chart's renderer. Without it they are skipped and say so. */
export function describeWithRenderer(title: string, define: () => void): void {
  const canRender = isHere('chart');
  describe.skipIf(!canRender)(canRender ? title : `${title} (skipped: ${lackOf('chart')})`, () => {
    beforeAll(buildRenderer, buildTimeoutMs);
    define();
  });
}
