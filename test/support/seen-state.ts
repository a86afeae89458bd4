import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { axeViolations } from './axe-violations.ts';

/** The folder for pictures of every state. Left out, no pictures are made. */
const pictures = process.env['HELPER_PICTURES'];

/** Finds parts of the widget that leave their box or are cut off. */
const misplaced = `(() => {
  const shadow = document.querySelector('helper-widget').shadowRoot;
  const faults = [];
  const name = (element) => element.tagName + '.' + element.className + ' ' + element.textContent.trim().slice(0, 40);
  const within = (outer, inner) =>
    inner.left >= outer.left - 1 && inner.right <= outer.right + 1 && inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
  const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  for (const box of shadow.querySelectorAll('.launcher, dialog.panel[open], .tour-card')) {
    if (box.checkVisibility() && !within(screen, box.getBoundingClientRect())) faults.push('leaves the screen: ' + name(box));
  }
  const panel = shadow.querySelector('dialog.panel');
  if (panel?.open !== true) return faults;
  const sides = panel.getBoundingClientRect();
  for (const element of panel.querySelectorAll('button, a, input, select, textarea, summary, .bubble, .confirmation, .card, svg, h2, .badge')) {
    if (!element.checkVisibility() || element.closest('.scroll, .visually-hidden') !== null) continue;
    const { left, right, width } = element.getBoundingClientRect();
    if (width > 0 && (left < sides.left - 1 || right > sides.right + 1)) faults.push('leaves the panel: ' + name(element));
    if (element.matches('button, summary') && element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== 'inline') {
      faults.push('is cut off: ' + name(element));
    }
  }
  const log = panel.querySelector('.log');
  if (log.scrollWidth > log.clientWidth) faults.push('the transcript scrolls sideways');
  return faults;
})()`;

/** The faults in the widget's current state: axe-core's findings, and parts that leave their box (WCAG 1.4.10). */
export async function faultsSeen(page: Page, name: string): Promise<string[]> {
  const faults = [...(await axeViolations(page)), ...(await page.evaluate<string[]>(misplaced))];
  if (pictures !== undefined) {
    // All animations have ended by now.
    mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: join(pictures, `${name}.png`) });
  }
  return faults.map((fault) => `${name}: ${fault}`);
}
