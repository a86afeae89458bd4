import type { Browser } from 'playwright-core';
import { isFile, type OpenProduct, openChat, openProduct, waitForReply, write } from './open-product.ts';
import type { Contestant } from './products.ts';
import { questions } from './reply-streams.ts';
import { lastWord } from './reply-text.ts';

/** What a product's files weigh; the same each time. */
export interface FileFigures {
  /** Until the page is quiet, untouched by the user. */
  readonly firstKiB: number;
  /** Until the chat is open and the page is quiet again. */
  readonly openKiB: number;
  /** Once a reply with tables and code is shown. */
  readonly replyKiB: number;
  readonly count: number;
}

const kib = 1024;

/** Opens the chat, asks for the short reply, and weighs the files that the page fetches meanwhile. */
export async function measureFiles(browser: Browser, { product, url }: Contestant): Promise<FileFigures> {
  const opened = await openProduct(browser, product);
  try {
    let count = 0;
    opened.page.on('requestfinished', (request) => (count += isFile(request) ? 1 : 0));
    await opened.page.goto(url, { waitUntil: 'networkidle' });
    const first = await opened.bytes();
    await openChat(opened, product);
    await quiet(opened);
    const open = await opened.bytes();
    await write(opened, questions.short);
    await opened.page.keyboard.press('Enter');
    await waitForReply(opened, lastWord);
    await quiet(opened);
    const reply = await opened.bytes();
    return { firstKiB: first / kib, openKiB: open / kib, replyKiB: reply / kib, count };
  } finally {
    await opened.close();
  }
}

/** A second in which nothing is asked for. */
async function quiet({ page }: OpenProduct): Promise<void> {
  let isQuiet = false;
  const stir = (): void => void (isQuiet = false);
  page.on('request', stir);
  while (!isQuiet) {
    isQuiet = true;
    await page.waitForTimeout(1000);
  }
  page.off('request', stir);
}

/** Seconds from the beginning of a page load to a composer that has taken a letter, with a slow processor and network. */
export async function timeToComposer(browser: Browser, { product, url }: Contestant): Promise<number> {
  const opened = await openProduct(browser, product, { slowdown: 4, slowNetwork: true });
  try {
    await opened.page.goto(url, { waitUntil: 'commit' });
    await openChat(opened, product);
    await write(opened, 'a');
    return (await opened.page.evaluate<number>('performance.now()')) / 1000;
  } finally {
    await opened.close();
  }
}
