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
  const name = (element) => element.tagName + '.' + element.getAttribute('class') + ' ' + element.textContent.trim().slice(0, 40);
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
    if (!element.checkVisibility() || element.closest('.scroll, .image-tray, .visually-hidden') !== null) continue;
    const { left, right, width } = element.getBoundingClientRect();
    if (width > 0 && (left < sides.left - 1 || right > sides.right + 1)) faults.push('leaves the panel: ' + name(element));
    if (element.matches('button, summary') && element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== 'inline') {
      faults.push('is cut off: ' + name(element));
    }
  }
  const dot = panel.querySelector('.dot').getBoundingClientRect();
  if (dot.left < sides.left || dot.right > sides.right) faults.push('leaves the panel: the dot of the connection');
  if (panel.scrollTop > 0) faults.push('the panel is scrolled below its header');
  const field = panel.querySelector('.composer textarea');
  if (field.value === '' && field.scrollHeight > field.clientHeight + 1) faults.push('is cut off: the hint of the composer');
  const words = document.createRange();
  for (const button of panel.querySelectorAll('.button')) {
    if (!button.checkVisibility()) continue;
    words.selectNodeContents(button);
    const middle = ({ top, bottom }) => (top + bottom) / 2;
    const off = Math.abs(middle(words.getBoundingClientRect()) - middle(button.getBoundingClientRect()));
    if (off > 1.5) faults.push('is not in the middle of its button: ' + name(button));
  }
  if (field.matches(':focus:placeholder-shown') && getComputedStyle(field).maskImage === 'none') faults.push('is cut off: the hint of the field with the focus');
  const jump = panel.querySelector('.jump');
  if (jump?.checkVisibility()) {
    const { top, bottom, left, right } = jump.getBoundingClientRect();
    if (shadow.activeElement?.matches('.card .control')) faults.push('a button covers the fields of a card');
    if (top < panel.querySelector('.transcript').getBoundingClientRect().top - 1 && getComputedStyle(jump.parentElement).overflowY !== 'clip') faults.push('a button covers the header');
    for (const covered of panel.querySelectorAll('.edit-message :is(button, textarea), .rating-word > *')) {
      const box = covered.getBoundingClientRect();
      if (box.bottom > top && box.top < bottom && box.right > left && box.left < right) faults.push('a button covers ' + name(covered));
    }
  }
  const line = panel.querySelector('.connection');
  if (line !== null) {
    const { left, top, width, height } = line.getBoundingClientRect();
    for (let at = 12; at < width - 12; at += 12) {
      if (!line.contains(shadow.elementFromPoint(left + at, top + height / 2))) faults.push('something lies over the line of the connection');
    }
  }
  for (const wrong of panel.querySelectorAll('.log [aria-invalid=true]')) {
    const fault = shadow.getElementById(wrong.getAttribute('aria-describedby'));
    const below = fault.getBoundingClientRect().top - wrong.getBoundingClientRect().bottom;
    if (below < 5 || below > 16) faults.push('is not right below its field: ' + name(fault));
  }
  const log = panel.querySelector('.log');
  if (matchMedia('(forced-colors: active)').matches) {
    const mark = panel.querySelector('.excerpt mark');
    if (mark !== null && getComputedStyle(mark).backgroundColor.split(',').length > 3) faults.push('the marked passage cannot be read');
    for (const text of panel.querySelectorAll('.chart text')) {
      if (getComputedStyle(text).fill !== getComputedStyle(log).color) faults.push('is not in a colour of the system: ' + name(text));
    }
  }
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
