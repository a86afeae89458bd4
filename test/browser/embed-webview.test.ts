import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser, type Pages, type WidgetPage } from '../support/browser.ts';
import { realServer } from '../support/real-server.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } as const;

/** The objects that the WebViews of the platforms put into a page. `said` records what arrives. */
const ports: Readonly<Record<string, string>> = {
  'React Native': 'window.ReactNativeWebView = port;',
  iOS: 'window.webkit = { messageHandlers: { helper: port } };',
  WebView2: 'window.chrome = { ...window.chrome, webview: port };',
  Android: 'window.HelperAndroid = port;',
  Flutter: 'window.HelperFlutter = port;',
};

interface Said {
  readonly type: string;
  readonly id?: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

interface InWebView extends WidgetPage {
  readonly said: () => Promise<readonly Said[]>;
  /** Sends a message of the application as text, in the way that works in every WebView. */
  readonly tell: (type: string, payload?: object, id?: string) => Promise<void>;
}

/** The embed page as an application opens it: the object of its WebView is there before any script of the page. */
async function openInWebView(pages: Pages, server: string, port: string, query = '?host=webview'): Promise<InWebView> {
  const widget = await pages.open(`${server}/healthz`, phone);
  const { page } = widget;
  await page.addInitScript(`
    window.said = [];
    window.listeners = [];
    const port = {
      postMessage: (text) => said.push(JSON.parse(text)),
      addEventListener: (type, listener) => type === 'message' && listeners.push(listener),
    };
    ${port}`);
  await page.goto(`${server}/helper/embed${query}`);
  await widget.panel.waitFor();
  return {
    ...widget,
    said: () => page.evaluate<Said[]>('said'),
    tell: (type, payload = {}, id) =>
      page.evaluate(`HelperBridge.receive(${JSON.stringify(JSON.stringify({ v: 1, id, type, payload }))})`),
  };
}

async function types({ said }: InWebView): Promise<string[]> {
  return (await said()).map(({ type }) => type);
}

async function violations(page: Page): Promise<unknown> {
  await page.evaluate(axe);
  return page.evaluate(`axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))`);
}

describeInBrowser('the embed page in a WebView (contract/embed.md)', (pages) => {
  // proves wire-9-65
  it.each(Object.entries(ports))('speaks with an application of %s', async (_platform, port) => {
    const { url } = await realServer();
    const webView = await openInWebView(pages, url, port);
    expect((await webView.said())[0]).toEqual({ v: 1, type: 'ready', payload: {} });
    await webView.tell('init', { can: ['close'], theme: 'Dark' });
    await webView.panel.getByRole('button', { name: 'Close chat' }).click();
    await expect.poll(() => types(webView)).toContain('close');
    expect(await webView.page.locator('.root').getAttribute('class')).toContain('theme-Dark');
  });

  // proves wire-9-65
  it.each(['WebView2', 'Android'])('hears what the channel of %s brings', async (platform) => {
    const { url } = await realServer();
    const { page, log } = await openInWebView(pages, url, ports[platform] ?? '');
    const message = JSON.stringify({ v: 1, type: 'send', payload: { text: 'Show me my open orders' } });
    await page.evaluate(`for (const listener of listeners) listener({ data: ${JSON.stringify(message)} })`);
    await log.locator('.card table').waitFor();
  });

  it('answers as the application’s user, and asks before it acts', async () => {
    const { url } = await realServer({ HELPER__AUTH__JWT__SECRET: tokenSecret });
    const webView = await openInWebView(pages, url, ports['React Native'] ?? '');
    const { page, panel, log, say, tell, said, messages } = webView;
    const token = await makeToken({ sub: 'ann', name: 'Ann', role: 'Supervisor' });
    await tell('init', { can: ['getToken'] });
    await say('Refund order 1001, amount 5');
    await expect.poll(() => types(webView)).toContain('getToken');
    // Answers every question for the token under its id, as applications do.
    const answer = async (): Promise<void> => {
      for (const { type, id } of await said()) if (type === 'getToken') await tell('getToken', { token }, id);
    };
    await expect
      .poll(async () => {
        await answer();
        return panel.getByRole('button', { name: 'Approve' }).count();
      })
      .toBe(1);
    await panel.getByRole('button', { name: 'Approve' }).click();
    await expect
      .poll(async () => {
        await answer();
        return panel.locator('.is-succeeded').count();
      })
      .toBe(1);
    await log.locator('.confirmation.is-succeeded').waitFor();
    expect(page.url()).toBe(`${url}/helper/embed?host=webview`);
    expect(messages).toEqual([]);
    expect(await violations(page)).toEqual([]);
  });

  it('listens by the application where the WebView cannot, and lets its user feel that the answer has come', async () => {
    const { url } = await realServer({ HELPER__ENABLEVOICEINPUT: 'true' });
    const deaf = 'delete window.SpeechRecognition; delete window.webkitSpeechRecognition;';
    const webView = await openInWebView(pages, url, `${ports['Android'] ?? ''} ${deaf}`);
    const { panel, composer, log, tell, said, messages } = webView;
    const ofType = async (type: string): Promise<readonly Said[]> =>
      (await said()).filter((message) => message.type === type);
    await tell('init', { can: ['dictate'] });
    await panel.getByRole('button', { name: 'Speak' }).click();
    await expect.poll(() => ofType('dictate')).toHaveLength(1);
    const [asked] = await ofType('dictate');
    expect(asked?.payload).toEqual({ isOn: true, language: 'en-US' });
    await tell('dictate', { text: 'Show me my open orders', isFinal: true }, asked?.id);
    await expect.poll(() => composer.inputValue()).toBe('Show me my open orders');
    await panel.getByRole('button', { name: 'Send' }).click();
    await log.locator('.card table').waitFor();
    await expect.poll(() => ofType('haptic')).toMatchObject([{ payload: { kind: 'success' } }]);
    expect(messages).toEqual([]);
  });

  it('fills the screen, and shrinks with the keyboard', async () => {
    const { url } = await realServer();
    const { page, panel, launcher } = await openInWebView(pages, url, ports['iOS'] ?? '');
    expect(await panel.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 });
    await expect.poll(() => launcher.isVisible()).toBe(false);
    await page.setViewportSize({ width: 390, height: 420 });
    await expect.poll(() => panel.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 420 });
    expect(await violations(page)).toEqual([]);
  });

  // proves wire-9-65
  it('is not spoken to by windows, and without the mark in its address not by an application either', async () => {
    const { url } = await realServer();
    const { page, tell, messages } = await openInWebView(pages, url, ports['Android'] ?? '');
    await page.evaluate(`window.postMessage({ v: 1, type: 'send', payload: { text: 'By a window' } }, '*'); null`);
    await tell('setTheme', { theme: 'Dark' });
    await expect.poll(() => page.locator('.root').getAttribute('class')).toContain('theme-Dark');
    await expect.poll(() => page.locator('.message').count()).toBe(0);
    expect(messages).toEqual([]);
    const plain = await openInWebView(pages, url, ports['Android'] ?? '', '');
    expect(await plain.said()).toEqual([]);
    expect(await plain.page.evaluate('typeof HelperBridge')).toBe('undefined');
  });

  it('in a browser, without any host, chats and stays open', async () => {
    const { url } = await realServer();
    const { page, panel, log, say, messages } = await openInWebView(pages, url, '');
    await panel.locator('textarea').press('Escape');
    await say('Show me my open orders');
    await log.locator('.card table').waitFor();
    await expect.poll(() => panel.getByRole('button', { name: 'Close chat' }).count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    expect(messages).toEqual([]);
  });

  it('says so when the chat cannot be fetched, and the launcher tries again', async () => {
    const { url } = await realServer();
    const { page, panel, launcher } = await pages.open(`${url}/healthz`, phone);
    await page.addInitScript(
      `window.said = []; window.HelperFlutter = { postMessage: (text) => said.push(JSON.parse(text)) };`,
    );
    await page.route('**/assets/panel-*.js*', (route) => route.abort());
    await page.goto(`${url}/helper/embed?host=webview`);
    await launcher.waitFor();
    const failure = { code: 'internal', message: 'The chat could not be fetched.' };
    expect(await page.evaluate(`said.at(-1)`)).toEqual({ v: 1, type: 'error', payload: failure });
    await page.unroute('**/assets/panel-*.js*');
    await launcher.click();
    await panel.waitFor();
    await expect.poll(() => launcher.isVisible()).toBe(false);
  });
});
