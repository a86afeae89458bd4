import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { hostPage, type HostPage } from '../support/host-page.ts';
import { realServer } from '../support/real-server.ts';

/** A website on another origin, and a server that lets it in. */
async function websiteAndServer(): Promise<{ site: HostPage; server: string }> {
  const site = await hostPage();
  const { url } = await realServer({ HELPER__CORS__DEFAULT__ORIGINS: JSON.stringify([site.origin]) });
  return { site, server: url };
}

function html(body: string, head = ''): string {
  return `<!doctype html><html lang="en"><head><title>Shop</title>${head}</head><body><h1>Shop</h1>${body}</body></html>`;
}

describeInBrowser('the widget in other people’s pages', (pages) => {
  it.each([
    [
      'an allow-list',
      (server: string) =>
        `default-src 'none'; script-src ${server}; connect-src ${server} ${server.replace('http', 'ws')}; base-uri 'none'`,
    ],
    [
      'a nonce and strict-dynamic',
      (server: string) =>
        `default-src 'none'; script-src 'nonce-abc' 'strict-dynamic'; style-src 'nonce-abc'; ` +
        `connect-src ${server} ${server.replace('http', 'ws')}; base-uri 'none'; object-src 'none'`,
    ],
    [
      'Trusted Types without any policy',
      (server: string) =>
        `default-src 'none'; script-src ${server}; connect-src ${server} ${server.replace('http', 'ws')}; ` +
        `require-trusted-types-for 'script'; trusted-types 'none'`,
    ],
  ])('needs nothing but its script and its connection: %s', async (_title, policy) => {
    const { site, server } = await websiteAndServer();
    site.serve({
      html: html(`<script async nonce="abc" src="${server}/helper/widget.js?v=1.0.0"></script>`),
      contentSecurityPolicy: policy(server),
    });
    const { messages, panel, log, openPanel, say } = await pages.open(site.url);
    await openPanel();
    await say('Show me my open orders');
    await panel.locator('.card table').waitFor();
    await say('Cancel order 1002');
    await panel.getByRole('button', { name: 'Cancel the order' }).click();
    await log.locator('.confirmation.is-succeeded').waitFor();
    // A page without an icon is asked for one, which such a policy refuses too.
    expect(messages.filter((message) => !message.includes('favicon'))).toEqual([]);
  });

  it('looks the same whatever the page’s styles do', async () => {
    const { site, server } = await websiteAndServer();
    const script = `<script async src="${server}/helper/widget.js"></script>`;
    const hostile = `<style>
      * { all: unset !important; font: 3px serif !important; color: red !important; display: inline !important; }
      html { font-size: 62.5% } body { transform: none; zoom: 1 }
      helper-widget, helper-widget * { display: none !important; visibility: hidden !important; opacity: 0 !important }
    </style>`;
    const look = `(() => {
      const root = document.querySelector('helper-widget').shadowRoot;
      const parts = ['.launcher', '.panel', '.name', 'textarea', '.round-button', '.welcome p'];
      return JSON.stringify(parts.map((part) => {
        const element = root.querySelector(part);
        const box = element.getBoundingClientRect();
        const { color, fontSize, fontFamily, display, visibility, opacity } = getComputedStyle(element);
        return [part, box.x, box.y, box.width, box.height, color, fontSize, fontFamily, display, visibility, opacity];
      }));
    })()`;
    const looks: unknown[] = [];
    for (const head of ['', hostile]) {
      site.serve({ html: html(script, head) });
      const { page, launcher, panel } = await pages.open(site.url, { reducedMotion: 'reduce' });
      await launcher.click();
      await panel.waitFor({ state: 'visible' });
      await page.mouse.move(5, 5);
      looks.push(JSON.parse(await page.evaluate<string>(look)));
    }
    expect(looks[1]).toEqual(looks[0]);
  });

  it('takes calls from before it was loaded, and choices of how it looks from the page (contract/configuration.md)', async () => {
    const { site, server } = await websiteAndServer();
    site.serve({
      html: html(
        `<helper-widget></helper-widget>
         <script>
           window.HelperWidget = { q: [['setContext', { pageName: 'Basket' }], ['open'], 'nonsense', ['nonsense']] };
         </script>
         <script async src="${server}/helper/widget.js"
           data-language="german" data-theme="dark" data-position="top-left" data-bot-name="Ada"
           data-primary-color="#ffcc00" data-hub-path="https://evil.example"></script>`,
      ),
    });
    const { page, panel, log, messages, say } = await pages.open(site.url);
    await panel.getByRole('heading', { name: 'Ada' }).waitFor();
    expect(await panel.getAttribute('lang')).toBe('de');
    expect(await panel.getAttribute('aria-label')).toBe('Chat mit Ada');
    // A page that embeds the script twice has one widget; of two async scripts either may run first, so one after the other.
    await page.addScriptTag({ url: `${server}/helper/widget.js` });
    await expect.poll(() => page.locator('helper-widget').count()).toBe(1);
    await expect.poll(() => panel.getByRole('heading', { name: 'Ada' }).count()).toBe(1);
    expect((await panel.boundingBox())?.x).toBe(20);
    await say('Hello');
    await log.locator('.from-bot .bubble').waitFor();
    expect(messages.filter((message) => !message.includes('favicon'))).toEqual([]);
  });

  it('tells the page what happens, and the page drives it', async () => {
    const { site, server } = await websiteAndServer();
    site.serve({ html: html(`<script async src="${server}/helper/widget.js"></script>`) });
    const { page, panel, launcher } = await pages.open(site.url);
    await launcher.waitFor();
    await page.evaluate(`
      window.heard = [];
      for (const name of ['open', 'message', 'action', 'card', 'reply', 'close', 'status']) {
        HelperWidget.on(name, (detail) => heard.push([name, detail?.status ?? detail?.text ?? detail?.connection ?? null]));
      }`);
    await page.evaluate(`HelperWidget.send('Show me my open orders')`);
    await page.evaluate('HelperWidget.close()');
    await panel.waitFor({ state: 'hidden' });
    expect(await page.evaluate('heard')).toEqual([
      ['open', null],
      ['message', 'Show me my open orders'],
      ['status', 'connecting'],
      ['status', 'connected'],
      ['card', null],
      ['action', 'succeeded'],
      ['reply', 'completed'],
      ['close', null],
    ]);
    expect(await page.evaluate(`HelperWidget.setContext({ pageData: 'x'.repeat(9000) }).catch((e) => e.message)`)).toBe(
      'pageData is larger than 8 KiB of JSON',
    );
    await page.evaluate('HelperWidget.destroy()');
    await expect.poll(() => page.locator('helper-widget').count()).toBe(0);
  });

  it('what arrives while the panel is closed shows on the launcher', async () => {
    const { site, server } = await websiteAndServer();
    site.serve({ html: html(`<script async src="${server}/helper/widget.js"></script>`) });
    const { page, launcher, panel } = await pages.open(site.url);
    await launcher.waitFor();
    await page.evaluate(`void HelperWidget.send('Cancel order 1002'); HelperWidget.close()`);
    await page.locator('helper-widget .launcher.has-news').waitFor();
    expect(await launcher.getAttribute('aria-label')).toBe('Open chat: 1 question waits for your answer');
    await launcher.click();
    await panel.locator('.confirmation').waitFor();
    await expect.poll(() => page.locator('helper-widget .launcher.has-news').count()).toBe(0);
    // The question waits although the user has already seen it.
    await panel.press('Escape');
    await page.locator('helper-widget .launcher.has-news').waitFor();
    await page.reload();
    await page.locator('helper-widget .launcher.has-news').waitFor();
    expect(await launcher.getAttribute('aria-label')).toBe('Open chat: 1 question waits for your answer');
  });

  it('a page that is sent elsewhere goes there after the answer, never to another origin by itself (contract/events.md)', async () => {
    const { site, server } = await websiteAndServer();
    site.serve({ html: html(`<script async src="${server}/helper/widget.js"></script>`) });
    const { page, openPanel, say } = await pages.open(site.url);
    await openPanel();
    await say('Go to order 1004');
    await page.waitForURL('**/?order=1004');
  });

  it('a panel that cannot be loaded leaves the launcher, which tries again', async () => {
    const { site, server } = await websiteAndServer();
    site.serve({ html: html(`<script async src="${server}/helper/widget.js"></script>`) });
    const { page, launcher, panel } = await pages.open(site.url);
    await launcher.waitFor();
    await page.route('**/helper/assets/panel-*', (route) => route.abort());
    await launcher.click();
    await expect.poll(() => launcher.getAttribute('aria-label')).toBe('Open chat ⚠');
    await page.unroute('**/helper/assets/panel-*');
    await launcher.click();
    await panel.waitFor({ state: 'visible' });
  });

  it('nothing of the panel is fetched until somebody wants to talk', async () => {
    const { site, server } = await websiteAndServer();
    site.serve({ html: html(`<script async src="${server}/helper/widget.js"></script>`) });
    const { page, launcher } = await pages.open(site.url);
    await launcher.waitFor();
    const fetched = `performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname).filter((path) => path.startsWith('/helper/'))`;
    expect(await page.evaluate(fetched)).toEqual(['/helper/widget.js']);
    await launcher.hover();
    await expect.poll(() => page.evaluate<string[]>(fetched)).toContainEqual(expect.stringMatching(/assets\/panel-/));
  });
});
