import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { type HostPage, hostPage } from '../support/host-page.ts';
import { saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const pages = [
  { name: 'orders', title: 'All orders', url: '/orders', description: 'Every order of the shop.', selector: '#orders' },
  { name: 'late', title: 'Late page', url: '/late', description: 'Comes a moment later.', selector: '#late' },
  { name: 'gone', title: 'Nowhere', url: '/', description: 'Its element is missing.', selector: '[[' },
];
const plugin = `export default { name: 'desk', actions: [
  { name: 'list', title: 'List orders', description: 'Lists.', parameters: { type: 'object', properties: {} }, execute: () => 1 },
] }`;
/** The fourth step. */
const asking = 'What you can ask for';

const body = `<h1>Shop</h1><button id="before">Before</button>
  <nav><a id="orders" href="/orders">Orders</a></nav><div style="height: 3000px"></div><p id="end">End</p>`;

/** A shop on an origin of its own, whose page the tour is about. */
async function shop(
  options: {
    readonly html?: string;
    readonly policy?: (server: string, site: string) => string;
    readonly files?: Parameters<HostPage['serve']>[0]['files'];
  } = {},
): Promise<{
  readonly site: HostPage;
  readonly serverUrl: string;
}> {
  const site = await hostPage();
  const { url } = await scriptedServer({
    scripts: [saying('Hello.')],
    plugin,
    settings: { cors: { default: { origins: [site.origin] } }, enableOnboardingTour: true, pages },
  });
  site.serve({
    html: `<!doctype html><html lang="en"><head><title>Shop</title></head><body>${options.html ?? body}
      <script src="${url}/helper/widget.js"></script></body></html>`,
    ...(options.policy === undefined ? {} : { contentSecurityPolicy: options.policy(url, site.origin) }),
    ...(options.files === undefined ? {} : { files: options.files }),
  });
  return { site, serverUrl: url };
}

/** Plays a browser that blocks third-party storage. Even reading the property throws. */
const blocked = `Object.defineProperty(window, 'localStorage', {
  get() { throw new DOMException('blocked', 'SecurityError'); } });`;

/** The parts of the tour on the page. */
function tourOf(page: Page) {
  const dialog = page.locator('helper-widget').locator('dialog.tour');
  return {
    dialog,
    title: dialog.locator('h2'),
    card: dialog.locator('.tour-card'),
    ring: dialog.locator('.tour-ring'),
    next: dialog.getByRole('button', { name: /^(Next|Done)$/ }),
    back: dialog.getByRole('button', { name: 'Back' }),
    end: dialog.getByRole('button', { name: 'End the tour' }),
  };
}

const start = async (page: Page): Promise<void> => {
  await page.evaluate('HelperWidget.startTour()');
};

const focused = `(() => {
  const element = document.querySelector('helper-widget').shadowRoot.activeElement ?? document.activeElement;
  return element.getAttribute('aria-label') ?? element.textContent.trim();
})()`;

describeInBrowser('the onboarding tour (contract/widget.md#tour)', (browser) => {
  // proves wire-26-04, wire-26-05
  it.each(['English', 'German', 'Polish', 'Spanish'])(
    'is offered in %s on a screen of 320 by 256 pixels, beside a chat that begins at its beginning',
    async (language) => {
      const { url } = await scriptedServer({
        scripts: [saying('Hello.')],
        plugin,
        settings: { enableOnboardingTour: true, pages, language },
      });
      const { page, panel, log, openPanel } = await browser.open(url, { viewport: { width: 320, height: 256 } });
      await openPanel();
      const buttons = panel.locator('.tour-offer .button');
      await expect.poll(() => buttons.count()).toBe(2);
      const { y: top = 0, height = 0 } = (await log.boundingBox()) ?? {};
      expect(height).toBeGreaterThanOrEqual(80);
      const { y: end = 0, height: least = 0 } = (await panel.locator('.composer-box').boundingBox()) ?? {};
      expect(end + least).toBeLessThanOrEqual(256);
      for (const button of await buttons.all()) {
        const { y = 0, height: high = 0 } = (await button.boundingBox()) ?? {};
        expect(y + high).toBeLessThanOrEqual(top);
      }
      const { y: title = 0 } = (await log.locator('.welcome h3').boundingBox()) ?? {};
      expect(title).toBeGreaterThanOrEqual(top);
      await page.keyboard.type('Hi');
      expect(await panel.locator('textarea').inputValue()).toBe('Hi');
    },
  );

  const open = async (options?: Parameters<typeof shop>[0], context?: BrowserContextOptions) => {
    const { site, serverUrl } = await shop(options);
    const opened = await browser.open(site.url, context);
    return { ...opened, site, serverUrl, tour: tourOf(opened.page) };
  };

  // proves service-2.4-06
  it('is offered when the panel opens, begins by a press, stands beside its elements, and is not offered again', async () => {
    const { page, panel, openPanel, tour, messages } = await open();
    await openPanel();
    const offer = panel.getByRole('group', { name: 'New here? Take a short tour.' });
    await offer.waitFor();
    await expect.poll(() => tour.dialog.count()).toBe(0);
    await offer.getByRole('button', { name: 'Start the tour' }).click();

    await tour.title.getByText('All orders').waitFor();
    await expect.poll(() => panel.isVisible()).toBe(false);
    expect(await tour.dialog.locator('.tour-count').textContent()).toBe('Step 1 of 4');
    const [link, ring, card] = await Promise.all([
      page.locator('#orders').boundingBox(),
      tour.ring.boundingBox(),
      tour.card.boundingBox(),
    ]);
    if (link === null || ring === null || card === null) throw new Error('something is not shown');
    expect(Math.abs(ring.x - (link.x - 6))).toBeLessThanOrEqual(1);
    expect(Math.abs(ring.height - (link.height + 12))).toBeLessThanOrEqual(1);
    expect(card.y).toBeGreaterThanOrEqual(link.y + link.height);

    // A page that is still being drawn gets a moment.
    await page.evaluate(`setTimeout(() => { document.querySelector('#end').id = 'late'; }, 400)`);
    await tour.next.click();
    await tour.title.getByText('Late page').waitFor();
    expect(await tour.dialog.getAttribute('class')).not.toContain('is-centred');
    expect(await page.evaluate('scrollY')).toBeGreaterThan(1000);

    // An invalid selector finds no element, so the card is centred.
    await tour.next.click();
    await tour.title.getByText('Nowhere').waitFor();
    expect(await tour.dialog.getAttribute('class')).toContain('is-centred');
    await tour.next.click();
    await tour.title.getByText(asking).waitFor();
    await tour.next.click();
    await panel.waitFor({ state: 'visible' });
    await expect.poll(() => tour.dialog.count()).toBe(0);
    expect(await page.evaluate(focused)).toBe('Your message');
    await expect.poll(() => offer.count()).toBe(0);

    // The panel is open on the next page too, and asks the server again.
    const asked = page.waitForResponse((response) => response.url().endsWith('/helper/tour'));
    await page.reload();
    await (await asked).finished();
    await panel.locator('.welcome').waitFor();
    await expect.poll(() => offer.count()).toBe(0);
    expect(messages).toEqual([]);
  });

  it('is not offered again once it was declined, nor over a conversation', async () => {
    const { page, panel, openPanel, say, log } = await open();
    await openPanel();
    const decline = panel.getByRole('button', { name: 'No, thanks' });
    await decline.waitFor();
    await say('Hi');
    await log.getByText('Hello.').waitFor();
    await expect.poll(() => decline.count()).toBe(0);
    await page.evaluate('HelperWidget.newConversation()');
    await decline.click();
    expect(await page.evaluate(focused)).toBe('Your message');
    await expect.poll(() => page.evaluate(`Object.keys(localStorage).join()`)).toMatch(/^helper-tour:http.*\/tour$/);
  });

  it('is walked with the arrow keys, keeps Tab inside, ends with Esc, and gives the focus back', async () => {
    const { page, tour } = await open();
    await page.evaluate(`addEventListener('keydown', ({ key }) => { document.body.dataset.pressed = key; })`);
    await page.locator('#before').focus();
    await start(page);
    await tour.title.getByText('All orders').waitFor();
    expect(await page.evaluate(focused)).toBe('Next');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowRight');
    await tour.title.getByText('Late page').waitFor();
    await page.keyboard.press('ArrowLeft');
    await tour.title.getByText('All orders').waitFor();
    for (const name of ['End the tour', 'Next', 'End the tour']) {
      await page.keyboard.press('Tab');
      // Between the rounds the browser's own controls have the focus.
      if ((await page.evaluate(focused)) !== name) await page.keyboard.press('Tab');
      expect(['Next', 'End the tour', 'Open All orders']).toContain(await page.evaluate(focused));
    }
    expect(await page.evaluate('document.body.dataset.pressed ?? ""')).not.toMatch(/Arrow/);
    await page.keyboard.press('Escape');
    await tour.dialog.waitFor({ state: 'detached' });
    expect(await page.evaluate(focused)).toBe('Before');
  });

  it('is mirrored where the page reads from right to left: the left arrow goes on', async () => {
    const { page, tour } = await open({ html: body.replace('<h1>', '<script>document.dir = "rtl"</script><h1>') });
    await start(page);
    await tour.title.getByText('All orders').waitFor();
    await page.keyboard.press('ArrowLeft');
    await tour.title.getByText('Late page').waitFor();
  });

  it('goes to a page by its link, and stays when the page shows it by itself', async () => {
    const { page, tour } = await open();
    await page.evaluate(`HelperWidget.setNavigator(({ url, page }) => history.pushState({}, '', url + '?' + page))`);
    await start(page);
    await tour.dialog.getByRole('link', { name: 'Open All orders' }).click();
    await expect.poll(() => page.evaluate('location.pathname + location.search')).toBe('/orders?orders');
    await expect.poll(() => tour.dialog.isVisible()).toBe(true);
    await page.evaluate('HelperWidget.setNavigator(null)');
    await tour.dialog.getByRole('link', { name: 'Open All orders' }).click();
    await page.waitForURL('**/orders');
    await tour.dialog.waitFor({ state: 'detached' });
  });

  it('runs under a strict policy with Trusted Types, with storage blocked, and remembers as long as the page lives', async () => {
    const { page, panel, openPanel, tour, messages } = await open({
      html: '<script src="/blocked.js"></script><h1>Shop</h1><p id="orders">Orders</p>',
      files: { '/blocked.js': { headers: { 'content-type': 'text/javascript' }, body: blocked } },
      policy: (server, site) =>
        [
          `default-src 'none'; script-src ${server} ${site}; connect-src ${server} ${server.replace('http', 'ws')}`,
          "require-trusted-types-for 'script'; trusted-types 'none'",
        ].join('; '),
    });
    await openPanel();
    await panel.getByRole('button', { name: 'Start the tour' }).click();
    await tour.title.getByText('All orders').waitFor();
    await tour.end.click();
    await panel.waitFor({ state: 'visible' });
    await panel.getByRole('button', { name: 'Close chat' }).click();
    await openPanel();
    await expect.poll(() => panel.getByRole('button', { name: 'Start the tour' }).count()).toBe(0);
    expect(messages).toEqual([]);
    expect(await page.evaluate('try { localStorage.length } catch (error) { error.name }')).toBe('SecurityError');
  });

  // proves service-2.20-04
  it('can be written by hand: tourUrl takes a file of the page, and what is no step is left out', async () => {
    const site = await hostPage();
    const steps = [
      'no step',
      { id: 'a', title: 'By hand <b>', text: 'x', placement: 'above', url: 'javascript:alert(1)' },
      { id: 'b' },
    ];
    const { url } = await scriptedServer({
      scripts: [],
      settings: { client: { enableOnboardingTour: true, tourUrl: `${site.origin}/tour.json` } },
    });
    site.serve({
      html: `<!doctype html><html lang="en"><title>Shop</title><script src="${url}/helper/widget.js"></script></html>`,
      files: { '/tour.json': { body: JSON.stringify({ version: '1', steps }) } },
    });
    const { page } = await browser.open(site.url);
    const tour = tourOf(page);
    await start(page);
    expect(await tour.title.textContent()).toBe('By hand <b>');
    expect(await tour.dialog.locator('.tour-count').textContent()).toBe('Step 1 of 1');
    await expect.poll(() => tour.dialog.getByRole('link').count()).toBe(0);
  });

  it('shows the file that the guide gives as an example', async () => {
    const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/tour.md'), 'utf8');
    const [, example = ''] = /```json\n([\s\S]*?)```/.exec(guide) ?? [];
    const site = await hostPage();
    const { url } = await scriptedServer({
      scripts: [],
      settings: { client: { enableOnboardingTour: true, tourUrl: `${site.origin}/tour.json` } },
    });
    site.serve({
      html: `<!doctype html><html lang="en"><title>Shop</title><input id="search" /><script src="${url}/helper/widget.js"></script></html>`,
      files: { '/tour.json': { body: example } },
    });
    const { page } = await browser.open(site.url);
    const tour = tourOf(page);
    await start(page);
    expect(await tour.title.textContent()).toBe('Search');
    expect(await tour.dialog.getAttribute('class')).not.toContain('is-centred');
    await tour.next.click();
    await tour.dialog.getByRole('link', { name: 'Open Reports' }).waitFor();
  });

  it('rejects startTour where there is none to be had', async () => {
    const { url } = await scriptedServer({ scripts: [] });
    const { page } = await browser.open(url);
    const refused = `HelperWidget.startTour().catch((error) => error.message)`;
    expect(await page.evaluate(refused)).toBe('enableOnboardingTour is off');
  });

  it.each([
    ['light', {}, 'default'],
    ['dark', {}, 'dark'],
    ['in forced colours', { forcedColors: 'active' }, 'default'],
    ['without motion', { reducedMotion: 'reduce' }, 'minimal'],
    ['at 320 pixels', { viewport: { width: 320, height: 568 } }, 'default'],
  ] as const)('axe-core finds nothing: %s', async (_title, context, theme) => {
    const { page, panel, openPanel, tour } = await open({}, { bypassCSP: true, ...context });
    const violations = async (): Promise<string[]> => {
      await page.evaluate(axe);
      return page.evaluate<string[]>(
        `Promise.all(document.querySelector('helper-widget').shadowRoot.getAnimations().map((a) => a.finished.catch(() => 0)))
          .then(() => axe.run('helper-widget'))
          .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map((n) => n.html).join(' | ')))`,
      );
    };
    await openPanel();
    await panel.getByRole('button', { name: 'Start the tour' }).waitFor();
    expect(await violations()).toEqual([]);
    await page.evaluate(`HelperWidget.init({ theme: '${theme}' })`);
    await start(page);
    await tour.title.getByText('All orders').waitFor();
    expect(await violations()).toEqual([]);
    const [card, screen] = [await tour.card.boundingBox(), page.viewportSize()];
    expect((card?.x ?? -1) >= 0 && (card?.x ?? 0) + (card?.width ?? 0) <= (screen?.width ?? 0)).toBe(true);
  });
});
