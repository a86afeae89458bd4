import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The faults that axe-core finds in the page, shadow roots included. The page must have been opened with `bypassCSP`. */
export async function axeViolations(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axe);
  // Colours are judged without animations, because a fading element has colours that nobody reads.
  return page.evaluate<string[]>(`
    Promise.all((document.querySelector('helper-widget')?.shadowRoot ?? document).getAnimations().map((a) => a.finished.catch(() => 0)))
      .then(() => axe.run({ resultTypes: ['violations'] }))
      .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map((n) => n.html).join(' | ')))`);
}
