import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { openChat, openProduct, waitForReply, write } from './open-product.ts';
import type { Contestant } from './products.ts';
import { questions } from './reply-streams.ts';
import { lastWord } from './reply-text.ts';

/** A rule of axe-core that a page breaks. */
export interface Violation {
  readonly rule: string;
  readonly impact: string;
}

/** What a program can find out about a product's accessibility. */
export interface AccessFigures {
  readonly open: readonly Violation[];
  readonly withReply: readonly Violation[];
  /** How often a screen reader was told something while a reply of 400 tokens came, and how many characters in all. */
  readonly announcements: number;
  readonly announcedCharacters: number;
  readonly otherHosts: readonly string[];
  /** Tables and blocks of code of the reply that are shown as such. */
  readonly tables: number;
  readonly codeBlocks: number;
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Counts what is added to live regions, in shadow roots too: what a screen reader speaks without being asked. */
const listen = `
  globalThis.announced = { times: 0, characters: 0 };
  const isLive = (node) => {
    for (let at = node; at; at = at.parentNode ?? at.host) {
      if (!(at instanceof Element)) continue;
      const live = at.getAttribute('aria-live');
      if (live !== null) return live !== 'off';
      if (at.localName === 'output' || ['status', 'alert', 'log'].includes(at.getAttribute('role'))) return true;
    }
    return false;
  };
  const observer = new MutationObserver((changes) => {
    let characters = 0;
    for (const change of changes) {
      const nodes = change.type === 'characterData' ? [change.target] : [...change.addedNodes];
      for (const node of nodes.filter(isLive)) characters += node.textContent.length;
    }
    if (characters === 0) return;
    announced.times += 1;
    announced.characters += characters;
  });
  const watch = (root) => {
    observer.observe(root, { childList: true, characterData: true, subtree: true });
    for (const element of root.querySelectorAll('*')) if (element.shadowRoot) watch(element.shadowRoot);
  };
  watch(document);`;

/** Looks at the open chat, listens to a reply, and looks again. */
export async function measureAccess(browser: Browser, { product, url }: Contestant): Promise<AccessFigures> {
  const opened = await openProduct(browser, product, { bypassCSP: true });
  const { page, chat, otherHosts } = opened;
  try {
    await page.goto(url, { waitUntil: 'networkidle' });
    await openChat(opened, product);
    const open = await violationsOf(page);
    await page.evaluate(listen);
    await write(opened, questions.short);
    await page.keyboard.press('Enter');
    await waitForReply(opened, lastWord);
    // What is said of the end comes a little after it.
    await page.waitForTimeout(2500);
    const { times, characters } = await page.evaluate<{ times: number; characters: number }>('announced');
    return {
      open,
      withReply: await violationsOf(page),
      announcements: times,
      announcedCharacters: characters,
      otherHosts: [...otherHosts],
      tables: await chat.locator('table').count(),
      codeBlocks: await chat.locator('pre').count(),
    };
  } finally {
    await opened.close();
  }
}

async function violationsOf(page: Page): Promise<readonly Violation[]> {
  await page.evaluate(axe);
  // Colours are judged at rest: an animation fades in through colours that nobody reads.
  await page.waitForTimeout(1000);
  return page.evaluate<readonly Violation[]>(
    'axe.run().then(({ violations }) => violations.map(({ id, impact }) => ({ rule: id, impact })))',
  );
}
