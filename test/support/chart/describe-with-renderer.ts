import { beforeAll, describe } from 'vitest';
import { buildRenderer, buildTimeoutMs, canRender } from './render-chart.ts';

/** A group of tests that need the chart's renderer. Without it they are skipped and say so. */
export function describeWithRenderer(title: string, define: () => void): void {
  describe.skipIf(!canRender)(canRender ? title : `${title} (needs scripts/install-chart-tools.sh)`, () => {
    beforeAll(buildRenderer, buildTimeoutMs);
    define();
  });
}
