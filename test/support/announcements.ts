import type { Page } from 'playwright-core';

/** Records from now on what the panel's live regions say. Urgent words begin with `! `. */
export async function recordAnnouncements(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(`
    window.announced = [];
    new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes) {
        const live = target.getAttribute('aria-live');
        if (live === null) continue;
        for (const node of addedNodes) announced.push((live === 'assertive' ? '! ' : '') + node.textContent);
      }
    }).observe(document.querySelector('helper-widget').shadowRoot.querySelector('dialog'), { childList: true, subtree: true });
  `);
  return () => page.evaluate<string[]>('window.announced');
}
