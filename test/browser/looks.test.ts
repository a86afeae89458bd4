import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser, type Pages, type WidgetPage } from '../support/browser.ts';
import { hostPage } from '../support/host-page.ts';
import { hasFocus, inPanel, styleOf } from '../support/in-panel.ts';
import { saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { realServer } from '../support/real-server.ts';

interface Website {
  readonly html?: string;
  readonly head?: string;
  readonly body?: string;
  readonly settings?: Readonly<Record<string, string>>;
  readonly page?: Parameters<Pages['open']>[1];
}

/** A page of another website with the widget. `html` holds the attributes of the page's root. */
async function website(pages: Pages, options: Website = {}): Promise<WidgetPage> {
  const site = await hostPage();
  const { url } = await realServer({
    HELPER__CORS__DEFAULT__ORIGINS: JSON.stringify([site.origin]),
    ...options.settings,
  });
  const { html = 'lang="en"', head = '', body = '' } = options;
  const script = `<script async src="${url}/helper/widget.js"></script>`;
  site.serve({
    html: `<!doctype html><html ${html}><head><title>Shop</title>${head}</head><body><h1>Shop</h1>${body}${script}</body></html>`,
  });
  const widgetPage = await pages.open(site.url, options.page);
  await widgetPage.launcher.waitFor();
  return widgetPage;
}

const isDark = (page: Page): Promise<boolean> =>
  page.evaluate(
    `document.querySelector('helper-widget').shadowRoot.querySelector('.root').classList.contains('theme-Dark')`,
  );

describeInBrowser('forced colours (contract/widget.md#looks)', (pages) => {
  it('show which button cannot be pressed', async () => {
    const { page, composer, openPanel } = await website(pages, { page: { forcedColors: 'active' } });
    await openPanel();
    const colour = (): Promise<string> => styleOf(page, '.round-button', 'color');
    const unusable = await colour();
    await composer.fill('Hello');
    await expect.poll(colour).not.toBe(unusable);
  });
});

describeInBrowser('theme: Auto (contract/widget.md#looks)', (pages) => {
  it.each<[string, Website, boolean]>([
    ['a page that says nothing, on a light system', {}, false],
    // proves configuration-7-03
    ['a page that says nothing, on a dark system', { page: { colorScheme: 'dark' } }, true],
    // proves configuration-7-03
    ['a dark page', { head: '<style>:root { color-scheme: dark }</style>' }, true],
    [
      'a light page on a dark system',
      { head: '<style>:root { color-scheme: only light }</style>', page: { colorScheme: 'dark' } },
      false,
    ],
    [
      'a page that has both, on a dark system',
      { head: '<style>:root { color-scheme: light dark }</style>', page: { colorScheme: 'dark' } },
      true,
    ],
    ['a page that is dark by its meta tag', { head: '<meta name="color-scheme" content="dark">' }, true],
    ['a page that says data-theme', { html: 'lang="en" data-theme="dark"' }, true],
    [
      'a page that says data-theme on a dark system',
      { html: 'lang="en" data-theme="light"', page: { colorScheme: 'dark' } },
      false,
    ],
  ])('%s', async (_title, site, expected) => {
    const { page } = await website(pages, site);
    await expect.poll(() => isDark(page)).toBe(expected);
  });

  // proves configuration-7-03
  it('follows while the page is open, closed panel and open one', async () => {
    const { page, openPanel } = await website(pages, { head: '<style>.night { color-scheme: dark }</style>' });
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(() => isDark(page)).toBe(true);
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(() => isDark(page)).toBe(false);
    await openPanel();
    const background = (): Promise<string> => styleOf(page, '.composer-box', 'backgroundColor');
    const light = await background();
    await page.evaluate(`document.documentElement.className = 'night'`);
    await expect.poll(background).not.toBe(light);
    await page.evaluate(`document.documentElement.className = ''`);
    await expect.poll(background).toBe(light);
    await page.evaluate(`HelperWidget.init({ theme: 'dark' })`);
    await expect.poll(() => isDark(page)).toBe(true);
    await page.evaluate(`document.documentElement.dataset.theme = 'light'`);
    expect(await isDark(page)).toBe(true);
    await page.evaluate(`HelperWidget.init({ theme: 'auto' })`);
    await expect.poll(() => isDark(page)).toBe(false);
  });
});

describeInBrowser('the example of the guide (docs/guides/widget.md)', (pages) => {
  it('makes the widget of one page as dark as the page, and speak German', async () => {
    const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/widget.md'), 'utf8');
    const example = guide.split('```html file=auto-theme.html\n')[1]?.split('```', 1)[0] ?? '';
    const site = await hostPage();
    const { url } = await realServer({
      HELPER__CORS__DEFAULT__ORIGINS: JSON.stringify([site.origin]),
      HELPER__THEME: 'Default',
    });
    const tag = example.replace('https://assist.example.com', url);
    site.serve({
      html: `<!doctype html><html lang="en" data-theme="dark"><head><title>Shop</title></head><body>${tag}</body></html>`,
    });
    const { page, launcher } = await pages.open(site.url);
    await launcher.waitFor();
    expect(await isDark(page)).toBe(true);
    expect(await launcher.getAttribute('aria-label')).toBe('Chat öffnen');
  });
});

describeInBrowser('the language of the widget’s texts', (pages) => {
  it('is the page’s, and follows it', async () => {
    const { page, panel, launcher, openPanel } = await website(pages, { html: 'lang="de-AT"' });
    expect(await launcher.getAttribute('aria-label')).toBe('Chat öffnen');
    await page.evaluate(`document.documentElement.lang = 'fr'`);
    await expect.poll(() => launcher.getAttribute('aria-label')).toBe('Ouvrir le chat');
    await openPanel();
    expect(await panel.getAttribute('lang')).toBe('fr');
    await page.evaluate(`document.documentElement.lang = 'zh-Hant'`);
    await expect.poll(() => panel.getAttribute('lang')).toBe('zh-Hans');
    await page.evaluate(`document.documentElement.lang = 'tlh'`);
    await expect.poll(() => panel.getAttribute('lang')).toBe('en');
  });

  it.each<[string, Website, string]>([
    ['the configuration sets one', { settings: { HELPER__LANGUAGE: 'Polish' } }, 'Otwórz czat'],
    ['the page chose one', { body: '<helper-widget data-language="dutch"></helper-widget>' }, 'Chat openen'],
  ])('is another one where %s', async (_title, site, label) => {
    const { page, launcher } = await website(pages, { html: 'lang="de"', ...site });
    expect(await launcher.getAttribute('aria-label')).toBe(label);
    await page.evaluate(`document.documentElement.lang = 'fr'`);
    await page.evaluate('new Promise(requestAnimationFrame)');
    expect(await launcher.getAttribute('aria-label')).toBe(label);
  });
});

describeInBrowser('the launcher', (pages) => {
  it.each([
    ['transform', 'transform: translateX(-300px) scale(0.5)'],
    ['filter', 'filter: blur(0); height: 100px'],
    ['clipping', 'overflow: hidden; height: 0; contain: strict'],
    ['a narrow body', 'width: 200px; position: relative; perspective: 1px; will-change: transform'],
    ['hiding', 'opacity: 0; visibility: hidden'],
  ])('stays in its corner whatever the page does to its body: %s', async (_title, style) => {
    const { launcher } = await website(pages, { head: `<style>body { ${style} }</style>` });
    const box = await launcher.boundingBox();
    expect(box).toEqual({ x: 1280 - 20 - 56, y: 860 - 20 - 56, width: 56, height: 56 });
    await launcher.click();
  });
});

describeInBrowser('a message', (pages) => {
  it('can be copied as it was written, and says so', async () => {
    const { url } = await scriptedServer({ scripts: [saying('**Order 1002** is open.')] });
    const { page, panel, log, openPanel, say } = await pages.open(url, { permissions: ['clipboard-read'] });
    await openPanel();
    await say('Hello');
    await log.getByText('Order 1002').waitFor();
    const copy = panel.getByRole('button', { name: 'Copy' });
    await copy.focus();
    await page.keyboard.press('Enter');
    await panel.getByRole('status').getByText('Copied').waitFor();
    await copy.locator('.icon-check').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('**Order 1002** is open.');
    expect(await hasFocus(page, '.from-bot .tools button')).toBe(true);
  });

  it('can be copied where the page was lent no clipboard', async () => {
    const { url } = await scriptedServer({ scripts: [saying('A text.')] });
    const { page, panel, log, openPanel, say } = await pages.open(url, { permissions: ['clipboard-read'] });
    await page.evaluate(
      `Object.defineProperty(navigator.clipboard, 'writeText', { value: () => Promise.reject(new Error()) })`,
    );
    await openPanel();
    await say('Hello');
    await log.getByText('A text.').waitFor();
    const copy = panel.getByRole('button', { name: 'Copy' });
    await copy.focus();
    await page.keyboard.press('Enter');
    await panel.getByRole('status').getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('A text.');
    expect(await hasFocus(page, '.from-bot .tools button')).toBe(true);
  });

  it('says when it was said to whoever points at it or reads by keys', async () => {
    const { url } = await scriptedServer({ scripts: [saying('A text.')] });
    const { page, panel, log, openPanel, say } = await pages.open(url);
    await openPanel();
    await say('Hello');
    await log.getByText('A text.').waitFor();
    const opacities = (): Promise<string[]> =>
      inPanel(page, `[...panel.querySelectorAll('.tools')].map((each) => getComputedStyle(each).opacity)`);
    await page.mouse.move(5, 5);
    // The row under an answer is always there.
    await expect.poll(opacities).toEqual(['0', '1']);
    await log.getByText('Hello').hover();
    await expect.poll(opacities).toEqual(['1', '1']);
    expect(await panel.locator('.from-user time').textContent()).toMatch(/^\d\d:\d\d$/);
    await page.mouse.move(5, 5);
    await expect.poll(opacities).toEqual(['0', '1']);
    await page.keyboard.press('F6');
    await expect.poll(opacities).toEqual(['1', '1']);
  });

  it('with a wide table shows that there is more of it', async () => {
    const row = (cell: string): string => `| ${Array.from({ length: 8 }, () => cell).join(' | ')} |`;
    const table = [row('A long heading'), row('---'), row('value')].join('\n');
    const { url } = await scriptedServer({ scripts: [saying(table, '')] });
    const { page, panel, openPanel, say } = await pages.open(url);
    await openPanel();
    await say('Show');
    await panel.locator('.markdown .scroll').waitFor();
    expect(await inPanel(page, `find('.markdown .scroll').scrollWidth > find('.markdown .scroll').clientWidth`)).toBe(
      true,
    );
    // Two shadows stay at the edges. Two covers above them scroll with the content.
    const attachment = await styleOf(page, '.markdown .scroll', 'backgroundAttachment');
    expect(attachment).toBe('local, local, scroll, scroll');
    expect((await styleOf(page, '.markdown .scroll', 'backgroundImage')).match(/linear-gradient/g)).toHaveLength(4);
  });
});

describeInBrowser('who answers (contract/widget.md#looks, `aiDisclosure`)', (pages) => {
  // proves configuration-7-01
  it('is said before the first message and in the header, in the language', async () => {
    const { panel, openPanel, say } = await website(pages, { html: 'lang="de"' });
    await openPanel();
    await panel.locator('.welcome').getByText('Sie sprechen mit einer KI, nicht mit einem Menschen.').waitFor();
    const badge = panel.locator('.header .is-ai');
    expect(await badge.textContent()).toMatch(/^KI: Sie sprechen mit einer KI/);
    await say('Hallo');
    await panel.locator('.from-bot').first().waitFor();
    await expect.poll(() => badge.isVisible()).toBe(true);
  });

  // proves configuration-7-01
  it('is not said by the widget where the configuration takes it away', async () => {
    const { panel, openPanel } = await website(pages, { settings: { HELPER__AIDISCLOSURE: 'false' } });
    await openPanel();
    await panel.locator('.welcome h3').waitFor();
    await expect.poll(() => panel.locator('.is-ai, .ai-notice').count()).toBe(0);
  });
});
