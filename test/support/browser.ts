import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, firefox, type Locator, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';
import { launchOptions } from './chromium.ts';
import { firefoxOptions, isFirefox } from './firefox/firefox.ts';
import { patienceMs } from './patience.ts';
import { serviceOfRun } from './services/service-of-run.ts';
import { isHere, lackOf } from './tools-here.ts';

/** Opens pages in the browser of the run, or in one of another kind for the group. No page sees those of other tests. */
export interface Pages {
  /** Opens a page, which is closed at the end of the test. Its console output is kept in `messages`. */
  open(url: string, options?: BrowserContextOptions): Promise<WidgetPage>;
}

/** A page with the widget. */
export interface WidgetPage {
  readonly page: Page;
  /** Errors and warnings of the console, and uncaught errors. */
  readonly messages: string[];
  readonly launcher: Locator;
  readonly panel: Locator;
  /** The transcript. The regions for screen readers hold the same words for a moment. */
  readonly log: Locator;
  readonly composer: Locator;
  /** Opens the panel with the launcher. */
  readonly openPanel: () => Promise<void>;
  /** Opens the menu of the panel's header. */
  readonly openMenu: () => Promise<Locator>;
  /** Opens the menu and presses one of its items. */
  readonly choose: (name: string) => Promise<void>;
  /** Writes into the composer and presses Enter. */
  readonly say: (text: string) => Promise<void>;
}

/** How this browser differs from that of most tests. */
export interface BrowserKind {
  readonly flags?: readonly string[];
  /** Sends a site's cookies also in pages of other sites, as older browsers do. */
  readonly thirdPartyCookies?: boolean;
}

/** A group of tests that need a browser. Without Chromium they are skipped and say so. CHROMIUM_PATH names one in another place. */
export function describeInBrowser(title: string, define: (pages: Pages) => void, kind: BrowserKind = {}): void {
  if (!isHere('chromium')) {
    describe.skip(`${title} (skipped: ${lackOf('chromium')})`, () =>
      define({ open: () => Promise.reject(new Error('there is no browser')) }));
    return;
  }
  describe(title, () => {
    let launched: Launched | undefined;
    beforeAll(async () => {
      launched = await launch(kind);
    });
    afterAll(async () => {
      await launched?.browser.close();
      // Processes of the browser outlive it for a moment and still write to the profile.
      if (launched?.profile !== undefined) await rm(launched.profile, { recursive: true, force: true, maxRetries: 20 });
    });
    define({
      open: (url, options) => {
        if (launched === undefined) throw new Error('the browser has not started');
        return openPage(launched.browser, url, options);
      },
    });
  });
}

interface Launched {
  readonly browser: Browser;
  /** The folder of its own profile. */
  readonly profile?: string;
}

async function launch({ flags = [], thirdPartyCookies = false }: BrowserKind): Promise<Launched> {
  if (isFirefox) return { browser: await firefox.launch(firefoxOptions) };
  if (flags.length === 0 && !thirdPartyCookies) {
    // Closing it closes the pages that were opened by this connection, and leaves the browser to the others.
    return { browser: await chromium.connect(await serviceOfRun('chromium')) };
  }
  const options = { ...launchOptions, args: [...launchOptions.args, ...flags] };
  if (!thirdPartyCookies) return { browser: await chromium.launch(options) };
  // Only a profile can hold this choice, and only this way of starting accepts a profile.
  const profile = mkdtempSync(join(tmpdir(), 'helper-browser-'));
  mkdirSync(join(profile, 'Default'));
  writeFileSync(join(profile, 'Default', 'Preferences'), JSON.stringify({ profile: { cookie_controls_mode: 0 } }));
  const browser = (await chromium.launchPersistentContext(profile, options)).browser();
  if (browser === null) throw new Error('the browser has not started');
  return { browser, profile };
}

async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<WidgetPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, locale: 'en-GB', ...options });
  onTestFinished(() => context.close());
  context.setDefaultTimeout(patienceMs);
  const page = await context.newPage();
  const messages: string[] = [];
  page.on('pageerror', (error) => messages.push(error.message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) messages.push(message.text());
  });
  await page.goto(url);
  const widget = page.locator('helper-widget');
  const launcher = widget.locator('.launcher');
  const composer = widget.locator('.composer textarea');
  const panel = widget.locator('dialog.panel');
  const openMenu = async (): Promise<Locator> => {
    await panel.locator('.more > button').click();
    const menu = panel.locator('.menu');
    await menu.waitFor();
    return menu;
  };
  return {
    page,
    messages,
    launcher,
    panel,
    log: panel.locator('.log'),
    composer,
    async openPanel() {
      await launcher.click();
      await panel.waitFor({ state: 'visible' });
    },
    openMenu,
    async choose(name) {
      await (await openMenu()).getByRole('button', { name }).click();
    },
    async say(text) {
      // While a turn runs, the button stops it and Enter waits.
      await panel.locator('.round-button:not(.is-stop)').waitFor();
      await composer.fill(text);
      await composer.press('Enter');
    },
  };
}
