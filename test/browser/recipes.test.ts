import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { callbackSecret } from '../support/callback-receiver.ts';
import { describeInBrowser, type WidgetPage } from '../support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { framedBy, framingSite } from '../support/framing-page.ts';
import { hostPage } from '../support/host-page.ts';
import { realServer } from '../support/real-server.ts';
import { recipePage, sharedFile } from '../support/recipes/recipe-folder.ts';
import { startExpress, startPhp } from '../support/recipes/started-recipes.ts';
import { calling, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';
import { isHere, lackOf } from '../support/tools-here.ts';
import { exampleFile } from '../unit/docs/pages.ts';

const assist = 'https://assist.example.com';
const script = (body: string) => ({ headers: { 'content-type': 'text/javascript' }, body });
const html = (body: string): string =>
  `<!doctype html><html lang="en"><head><title>Shop</title></head><body><h1>Shop</h1>${body}</body></html>`;
const complaints = (messages: readonly string[]): readonly string[] =>
  messages.filter((message) => !message.includes('favicon'));
const noWait = { HELPER__MODELS__DEMO__OPTIONS: '{ wordDelay: 0ms }' };

async function expectConfirmed({ openPanel, say, panel, log, messages }: WidgetPage): Promise<void> {
  await openPanel();
  await say('Cancel order 1002');
  await panel.getByRole('button', { name: 'Cancel the order' }).click();
  await log.locator('.confirmation.is-succeeded').waitFor();
  expect(complaints(messages)).toEqual([]);
}

/** The tags of a page as its template engine would write them, with the nonce `abc`. */
const templates = [
  ['django', 'base.html', (text) => text.replaceAll('{{ csp_nonce }}', 'abc').replace(/{% static '(.*?)' %}/, '/$1')],
  ['spring', 'layout.html', (text) => text.replaceAll('th:attr="nonce=${nonce}"', 'nonce="abc"')],
  ['laravel', 'layout.blade.php', (text) => text.replaceAll('{{ Vite::cspNonce() }}', 'abc')],
  ['rails', 'application.html.erb', (text) => text.replaceAll('<%= content_security_policy_nonce %>', 'abc')],
  ['aspnet', '_Layout.cshtml', (text) => text.replaceAll('"@Context.Items["nonce"]"', '"abc"')],
  ['nextjs', 'layout.tsx', (text) => text.replaceAll('{nonce}', '"abc"').replaceAll(' />', '></script>')],
] as const satisfies readonly (readonly [string, string, (text: string) => string])[];

describeInBrowser('the pages of the recipes (docs/recipes/README.md)', (pages) => {
  it.each(templates)(
    'load under the shared policy, sign their user in, and see a confirmed action done: %s',
    async (name, file, written) => {
      const site = await hostPage();
      const { url } = await realServer({
        HELPER__CORS__DEFAULT__ORIGINS: JSON.stringify([site.origin]),
        HELPER__AUTH__JWT__SECRET: tokenSecret,
        HELPER__AUTH__JWT__AUDIENCE: 'shop',
        HELPER__ENDPOINTS__TRANSPORTS__REQUIREAUTHORIZATION: 'true',
        ...noWait,
      });
      const body = written(exampleFile(recipePage(name), file))
        .replaceAll(/<\/?>/g, '')
        .replace(assist, url);
      expect(body.match(/nonce="abc"/g)).toHaveLength(2);
      const policy = sharedFile('policy.txt').trim().replace('NONCE', 'abc').replaceAll(assist, url);
      site.serve({
        html: html(body),
        contentSecurityPolicy: policy.replace('wss://assist.example.com', url.replace('http', 'ws')),
        files: {
          '/helper-user.js': script(sharedFile('helper-user.js')),
          '/helper-token': {
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ token: await makeToken({ sub: 'ann' }, { audience: 'shop' }) }),
          },
        },
      });
      await expectConfirmed(await pages.open(site.url));
    },
  );

  const applications = [
    ['express', startExpress, '/helper-actions', undefined],
    ['php', startPhp, '/helper-actions.php', isHere('php') ? undefined : lackOf('php')],
  ] as const;
  for (const [name, start, path, lack] of applications) {
    const run = lack === undefined ? it : it.skip;
    run(`of an application that runs has its own policy, its user and its action: ${name}${lack ?? ''}`, async () => {
      // Each must know the address of the other before it starts.
      const port = String(await freePort());
      const application = await start({ HELPER_URL: `http://127.0.0.1:${port}` });
      const { settings, callbacks } = configurationOf(name, application + path);
      await scriptedServer({
        scripts: [calling({ name: 'cancel_order', arguments: { orderNumber: 1001 } }), saying('It is cancelled.')],
        settings: { ...settings, cors: { default: { origins: [application] } } },
        callbacks,
        overrides: {
          HELPER__SERVER__PORT: port,
          SHOP_CALLBACK_SECRET: callbackSecret,
          HELPER_TOKEN_SECRET: tokenSecret,
        },
      });
      const { openPanel, say, panel, log, messages } = await pages.open(application);
      await openPanel();
      await say('Cancel order 1001');
      await panel.getByRole('button', { name: 'Approve' }).click();
      await log.getByText('It is cancelled.').waitFor();
      await log.locator('.confirmation.is-succeeded').waitFor();
      expect(complaints(messages)).toEqual([]);
    });
  }

  it('offer an action of an app of Capacitor, which asks first', async () => {
    const site = await hostPage();
    const { url } = await scriptedServer({
      scripts: [calling({ name: 'page_empty_cart', arguments: {} }), saying('It is empty.')],
      overrides: { HELPER__CORS__DEFAULT__ORIGINS: JSON.stringify([site.origin]) },
    });
    const listening = `<script>window.helperToken = async () => null; addEventListener('empty-cart', () => { document.title = 'Empty'; });</script>`;
    site.serve({ html: html(listening + exampleFile(recipePage('webview'), 'index.html').replace(assist, url)) });
    const { page, openPanel, say, panel, log, messages } = await pages.open(site.url);
    await openPanel();
    await say('Empty my cart');
    await panel.getByRole('button', { name: 'Approve' }).click();
    await log.getByText('It is empty.').waitFor();
    expect(await page.title()).toBe('Empty');
    expect(complaints(messages)).toEqual([]);
  });

  it('speak with the chat in a WebView by the bridge of the page, and ask before the action of the app', async () => {
    const { url } = await scriptedServer({
      scripts: [calling({ name: 'page_empty_cart', arguments: {} }), saying('It is empty.')],
      overrides: {
        HELPER__AUTH__JWT__SECRET: tokenSecret,
        HELPER__ENDPOINTS__TRANSPORTS__REQUIREAUTHORIZATION: 'true',
      },
    });
    const token = await makeToken({ sub: 'ann' });
    const bridge = exampleFile(recipePage('webview'), 'assistant-bridge.js').replace('export function', 'function');
    const { page, messages } = await pages.open(`${url}/healthz`, { viewport: { width: 390, height: 844 } });
    // The app and the page are in one place here. The WebView carries the same texts between them.
    await page.addInitScript(`${bridge}
      window.done = [];
      const hear = connectAssistant((text) => HelperBridge.receive(text), {
        getToken: async () => '${token}', close: () => done.push('close'), openLink: (url) => done.push(url),
        actions: { empty_cart: { description: 'Empties the cart.', parameters: { type: 'object', properties: {} },
          run: async () => void done.push('emptied') } },
      });
      window.ReactNativeWebView = { postMessage: (text) => setTimeout(() => hear(text)) };`);
    await page.goto(`${url}/helper/embed?host=webview`);
    const panel = page.locator('dialog.panel');
    await panel.locator('textarea').fill('Empty my cart');
    await panel.locator('textarea').press('Enter');
    await panel.getByRole('button', { name: 'Approve' }).click();
    await panel.locator('.log').getByText('It is empty.').waitFor();
    expect(await page.evaluate('done')).toEqual(['emptied']);
    await panel.getByRole('button', { name: 'Close chat' }).click();
    await expect.poll(() => page.evaluate('done')).toEqual(['emptied', 'close']);
    expect(complaints(messages)).toEqual([]);
  });
});

function configurationOf(name: string, url: string) {
  const { actions, auth, cors, endpoints } = parse(exampleFile(recipePage(name), 'helper.yaml')) as {
    readonly actions: { readonly callbacks: readonly object[] };
    readonly auth: object;
    readonly cors: object;
    readonly endpoints: object;
  }; // the page's own
  const settings = { auth, cors, endpoints };
  return { settings, callbacks: actions.callbacks.map((entry) => ({ ...entry, url })) };
}

describeInBrowser(
  'the frames of the recipes (docs/recipes/iframe.md)',
  (pages) => {
    it('chat without code', async () => {
      const site = await framingSite();
      const { url } = await realServer({ ...framedBy(site), ...noWait });
      site.serve({ html: html(exampleFile(recipePage('iframe'), 'embed.html').replace(assist, url)) });
      const { page } = await pages.open(site.url);
      const chat = page.frameLocator('iframe');
      await chat.locator('textarea').fill('Show me my open orders');
      await chat.locator('textarea').press('Enter');
      await chat.locator('.log .card table').waitFor();
    });

    it('sign their user in, and ask before the action of the page', async () => {
      const site = await framingSite();
      const { url } = await scriptedServer({
        scripts: [calling({ name: 'page_rename_page', arguments: { title: 'Sales' } }), saying('It is renamed.')],
        overrides: {
          ...framedBy(site),
          HELPER__AUTH__JWT__SECRET: tokenSecret,
          HELPER__ENDPOINTS__TRANSPORTS__REQUIREAUTHORIZATION: 'true',
        },
      });
      site.serve({
        html: html(exampleFile(recipePage('iframe'), 'assistant.html').replace(assist, url)),
        files: {
          '/helper-embed.js': script(exampleFile('docs/guides/embed.md', 'helper-embed.js')),
          '/helper-token': {
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ token: await makeToken({ sub: 'ann' }) }),
          },
        },
      });
      const { page, messages } = await pages.open(site.url);
      const chat = page.frameLocator('#assistant');
      await chat.locator('textarea').fill('Rename this page');
      await chat.locator('textarea').press('Enter');
      expect(await page.title()).toBe('Shop');
      await chat.getByRole('button', { name: 'Approve' }).click();
      await chat.locator('.log').getByText('It is renamed.').waitFor();
      expect(await page.title()).toBe('Sales');
      expect(complaints(messages)).toEqual([]);
    });
  },
  { thirdPartyCookies: true },
);
