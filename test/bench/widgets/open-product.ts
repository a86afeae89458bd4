import type { Browser, BrowserContextOptions, CDPSession, Locator, Page, Request } from 'playwright-core';
import type { Product } from './products.ts';

/** The page of a product in a browser that has never seen it. */
export interface OpenProduct {
  readonly page: Page;
  readonly session: CDPSession;
  readonly composer: Locator;
  readonly chat: Locator;
  /**
   * Other hosts that the page has made requests to. The requests do not leave this machine, so that every product is measured without the
   * network.
   */
  readonly otherHosts: ReadonlySet<string>;
  /** Bytes of files as they came, without the page itself and without replies. */
  readonly bytes: () => Promise<number>;
  readonly close: () => Promise<void>;
}

/** The options with which every product is measured. */
export interface OpenOptions extends BrowserContextOptions {
  /** Slows the main thread down; 1 is the machine itself. */
  readonly slowdown?: number;
  /** A slow mobile network, as audits of pages use it: 1.6 Mbit/s, and 150 ms until the first byte. */
  readonly slowNetwork?: boolean;
}

const slowNetwork = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000 };

/** Some pages stand still for long while they show a reply; that is what is measured. */
const longestWaitMs = 180_000;

/** Opens a page of its own without going anywhere yet. */
export async function openProduct(browser: Browser, product: Product, options: OpenOptions = {}): Promise<OpenProduct> {
  const { slowdown = 1, slowNetwork: isSlow = false, ...contextOptions } = options;
  const context = await browser.newContext({
    viewport: { width: 1280, height: 860 },
    locale: 'en-GB',
    ...contextOptions,
  });
  context.setDefaultTimeout(longestWaitMs);
  const otherHosts = new Set<string>();
  await context.route(
    (url) => url.hostname !== '127.0.0.1',
    (route) => {
      otherHosts.add(new URL(route.request().url()).hostname);
      return route.abort();
    },
  );
  const page = await context.newPage();
  const sizes: Promise<number>[] = [];
  page.on('requestfinished', (request) => {
    if (!isFile(request)) return;
    sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  const session = await context.newCDPSession(page);
  if (slowdown !== 1) await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  if (isSlow) {
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', slowNetwork);
  }
  return {
    page,
    session,
    composer: page.locator(product.composer).first(),
    chat: page.locator(product.chat).first(),
    otherHosts,
    bytes: async () => (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0),
    close: () => context.close(),
  };
}

/** Whether a request was for a file of the product: not for the page itself, and not a message and its reply. */
export function isFile(request: Request): boolean {
  return request.method() === 'GET' && !request.isNavigationRequest();
}

/** Opens the chat as a user does, and waits for the composer. */
export async function openChat({ page, composer }: OpenProduct, product: Product): Promise<void> {
  if (product.launcher !== undefined) await page.locator(product.launcher).first().click();
  await composer.waitFor({ state: 'visible' });
}

/** Writes into the composer, and waits until it shows what was written. @throws when it does not. */
export async function write({ page, composer }: OpenProduct, text: string): Promise<void> {
  await composer.focus();
  await page.keyboard.insertText(text);
  const isField = (await composer.and(page.locator('textarea, input')).count()) > 0;
  const shown = isField ? await composer.inputValue() : await composer.textContent();
  if (shown?.includes(text) !== true) throw new Error('the composer does not take text');
}

/** Waits until the reply is there as a whole, and the page has nothing more to do. @throws when it does not come. */
export async function waitForReply({ page, chat }: OpenProduct, lastWord: string): Promise<void> {
  const limit = performance.now() + longestWaitMs;
  const isShown = async (): Promise<boolean> => (await chat.textContent())?.includes(lastWord) === true;
  // The page is checked seldom, so that the checks cost it almost nothing.
  while (!(await isShown())) {
    if (performance.now() > limit) throw new Error('the reply did not come to its end in three minutes');
    await page.waitForTimeout(500);
  }
  await page.evaluate('new Promise((done) => requestIdleCallback(() => requestIdleCallback(() => done(true))))');
}
