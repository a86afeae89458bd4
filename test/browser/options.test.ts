import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { axeViolations } from '../support/axe-violations.ts';
import { describeInBrowser, type Pages, type WidgetPage } from '../support/browser.ts';
import { hostPage } from '../support/host-page.ts';
import { hasFocus, inPanel, styleOf } from '../support/in-panel.ts';
import { realServer } from '../support/real-server.ts';

type Settings = Readonly<Record<string, string>>;

interface Site {
  readonly settings?: Settings;
  /** Attributes of the root. */
  readonly html?: string;
  /** Attributes of the script tag. */
  readonly tag?: string;
  readonly contentSecurityPolicy?: (server: string) => string;
  readonly files?: Parameters<Awaited<ReturnType<typeof hostPage>>['serve']>[0]['files'];
  readonly page?: Parameters<Pages['open']>[1];
}

/** A page of another website with the widget. */
async function website(pages: Pages, site: Site = {}): Promise<WidgetPage & { readonly url: string }> {
  const host = await hostPage();
  const { url } = await realServer({
    HELPER__CORS__DEFAULT__ORIGINS: JSON.stringify([host.origin]),
    HELPER__THEME: 'Default',
    ...site.settings,
  });
  const { html = 'lang="en"', tag = '', files = {} } = site;
  const viewport = '<meta name="viewport" content="width=device-width">';
  host.serve({
    html: `<!doctype html><html ${html}><head>${viewport}<title>Shop</title></head><body><main><h1>Shop</h1></main><script async src="${url}/helper/widget.js" ${tag}></script></body></html>`,
    files,
    ...(site.contentSecurityPolicy && { contentSecurityPolicy: site.contentSecurityPolicy(url) }),
  });
  const page = await pages.open(host.url, site.page);
  await page.launcher.waitFor();
  return { ...page, url };
}

const box = (page: Page, selector: string): Promise<Readonly<Record<'x' | 'y' | 'width' | 'height', number>>> =>
  page.evaluate(`(() => {
    const element = document.querySelector('helper-widget').shadowRoot.querySelector('${selector}');
    element.getAnimations().forEach((animation) => animation.finish());
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x, y, width, height };
  })()`);

const desk = { width: 1280, height: 860 };
const phone = { width: 390, height: 844 };

describeInBrowser('position (contract/widget.md#looks)', (pages) => {
  describe.each([
    ['left to right', 'lang="en"'],
    ['right to left', 'lang="ar" dir="rtl"'],
  ])('on a page that reads from %s', (_title, html) => {
    // proves service-2.4-13
    it.each([
      ['bottom-right', { x: 1204, y: 784 }, { x: 860, y: 128, width: 400, height: 640 }],
      ['bottom-left', { x: 20, y: 784 }, { x: 20, y: 128, width: 400, height: 640 }],
      ['top-right', { x: 1204, y: 20 }, { x: 860, y: 92, width: 400, height: 640 }],
      ['top-left', { x: 20, y: 20 }, { x: 20, y: 92, width: 400, height: 640 }],
      ['side-right', { x: 1204, y: 784 }, { x: 880, y: 0, width: 400, height: 860 }],
      ['side-left', { x: 20, y: 784 }, { x: 0, y: 0, width: 400, height: 860 }],
    ])('%s is that corner or side of the screen', async (position, launcherAt, panelAt) => {
      const { page, launcher, openPanel } = await website(pages, {
        html,
        tag: `data-position="${position}"`,
        page: { viewport: desk },
      });
      expect(await box(page, '.launcher')).toEqual({ ...launcherAt, width: 56, height: 56 });
      await openPanel();
      expect(await box(page, '.panel')).toEqual(panelAt);
      await expect.poll(() => launcher.isVisible()).toBe(!position.startsWith('side'));
      await page.setViewportSize(phone);
      await expect.poll(() => box(page, '.panel')).toEqual({ x: 0, y: 0, ...phone });
    });
  });
});

describeInBrowser('primaryColor (contract/widget.md#looks, WCAG 1.4.3)', (pages) => {
  // proves service-2.4-14
  it.each(['Default', 'Dark', 'Minimal', 'Custom'])('is readable in every part of the theme %s', async (theme) => {
    const { page, panel, openPanel, say } = await website(pages, {
      settings: { HELPER__THEME: theme },
      page: { bypassCSP: true },
    });
    await openPanel();
    await say('Show me my open orders');
    await panel.locator('.card table').waitFor();
    await say('Change the address of order 1005 to 2 Canal Side, Glasgow G4 9XA');
    await panel.getByRole('button', { name: 'Approve' }).waitFor();
    const colours = {
      '#ffff00': 'rgb(255, 255, 0)',
      '#000': 'rgb(0, 0, 0)',
      '#fff': 'rgb(255, 255, 255)',
      '#777': 'rgb(119, 119, 119)',
    };
    for (const [colour, drawn] of Object.entries(colours)) {
      await page.evaluate(`HelperWidget.init({ primaryColor: '${colour}' })`);
      await expect.poll(() => styleOf(page, '.primary', 'backgroundColor')).toBe(drawn);
      expect([colour, await axeViolations(page)]).toEqual([colour, []]);
      // For every colour, the border makes the button distinguishable from the panel.
      expect(await styleOf(page, '.primary', 'borderTopColor')).toBe(await styleOf(page, '.eyebrow', 'color'));
    }
  });
});

const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describeInBrowser('avatarUrl (contract/widget.md#looks)', (pages) => {
  const pictures = (page: Page): Promise<number[]> =>
    inPanel(page, `[...panel.querySelectorAll('.avatar')].map((each) => each.querySelector('img')?.naturalWidth ?? 0)`);

  it('is a picture, in the header and in the greeting; a page may choose another', async () => {
    const { page, openPanel } = await website(pages, {
      settings: { HELPER__AVATARURL: `data:image/png;base64,${dot}` },
      files: {
        '/ada.png': {
          body: '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="7"/>',
          headers: { 'content-type': 'image/svg+xml' },
        },
      },
    });
    await openPanel();
    await expect.poll(() => pictures(page)).toEqual([1, 1]);
    await page.evaluate(`HelperWidget.init({ avatarUrl: '/ada.png' })`);
    await expect.poll(() => pictures(page)).toEqual([7, 7]);
  });

  it('that cannot be loaded makes way for the built-in one, until there is another', async () => {
    const { page, panel, openPanel } = await website(pages, {
      tag: 'data-avatar-url="/gone.png"',
      files: { '/gone.png': { status: 404 } },
    });
    await openPanel();
    await expect.poll(() => panel.locator('.avatar .icon-spark').count()).toBe(2);
    await page.evaluate(`HelperWidget.init({ avatarUrl: 'data:image/png;base64,${dot}' })`);
    await expect.poll(() => pictures(page)).toEqual([1, 1]);
  });

  it.each([
    ['is shown where the policy of the page has the line of the guide', true],
    ['is the built-in one where it has not', false],
  ])('of another origin %s', async (_title, isListed) => {
    const cdn = await hostPage();
    cdn.serve({
      html: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
      files: {
        '/a.svg': {
          body: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
          headers: { 'content-type': 'image/svg+xml' },
        },
      },
    });
    const { page, openPanel } = await website(pages, {
      settings: { HELPER__CLIENT__AVATARURL: `${cdn.origin}/a.svg` },
      contentSecurityPolicy: (server) =>
        `script-src ${server}; connect-src ${server} ${server.replace('http', 'ws')}; img-src ${isListed ? cdn.origin : "'none'"}`,
    });
    await openPanel();
    await expect.poll(() => pictures(page)).toEqual(isListed ? [9, 9] : [0, 0]);
  });
});

describeInBrowser('botName and inputPlaceholder (contract/widget.md#looks)', (pages) => {
  it.each([
    ['of a hundred characters', 'W'.repeat(100)],
    [
      'in a script that reads from right to left',
      'مساعد المتجر الذكي للطلبات والشحن وخدمة العملاء في جميع أنحاء العالم',
    ],
  ])('a name %s leaves every button of the header its room', async (_title, name) => {
    const { page, panel, openPanel } = await website(pages, {
      settings: { HELPER__BOTNAME: name },
      page: { viewport: { width: 320, height: 640 }, bypassCSP: true },
    });
    await openPanel();
    expect(await panel.getAttribute('aria-label')).toContain(name);
    for (const label of ['New conversation', 'Close chat']) {
      const at = await panel.getByRole('button', { name: label }).boundingBox();
      expect(at).toMatchObject({ width: 44 });
      expect((at?.x ?? 999) + 44).toBeLessThanOrEqual(320);
    }
    expect(await axeViolations(page)).toEqual([]);
  });

  it('are those of client where it has them, and those of the page before that', async () => {
    const { page, panel, composer, openPanel } = await website(pages, {
      settings: {
        HELPER__BOTNAME: 'Top',
        HELPER__INPUTPLACEHOLDER: 'Ask top',
        HELPER__CLIENT__BOTNAME: 'Client',
        HELPER__CLIENT__INPUTPLACEHOLDER: 'Ask client',
      },
    });
    await openPanel();
    await expect.poll(() => panel.getByRole('heading', { name: 'Client' }).count()).toBe(1);
    expect(await composer.getAttribute('placeholder')).toBe('Ask client');
    await page.evaluate(`HelperWidget.init({ botName: 'Page', inputPlaceholder: 'Ask page' })`);
    await expect.poll(() => composer.getAttribute('placeholder')).toBe('Ask page');
    await expect.poll(() => panel.getByRole('heading', { name: 'Page' }).count()).toBe(1);
  });
});

describeInBrowser('welcomeMessage (contract/widget.md#looks, contract/configuration.md)', (pages) => {
  const html =
    '<p><strong>Welcome.</strong> I know your <em>orders</em>.</p><ul><li><a href="/help">Help</a></li></ul><img src="/logo.svg" alt="The shop"><script>window.ran = 1</script>';

  // proves service-2.4-12
  it('stands in the empty chat before the suggestions, as elements and never as HTML', async () => {
    const { page, panel, log, openPanel, say } = await website(pages, {
      settings: { HELPER__WELCOMEMESSAGE: html, HELPER__CLIENT__ENABLESUGGESTIONS: 'true' },
      files: {
        '/logo.svg': {
          body: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
          headers: { 'content-type': 'image/svg+xml' },
        },
      },
      contentSecurityPolicy: (server) =>
        `default-src 'none'; script-src ${server}; connect-src ${server} ${server.replace('http', 'ws')}; img-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'`,
    });
    await openPanel();
    const greeting = panel.locator('.greeting');
    expect(await greeting.locator('p strong').textContent()).toBe('Welcome.');
    expect(await greeting.getByRole('link', { name: 'Help' }).getAttribute('rel')).toBe('noopener noreferrer nofollow');
    await expect.poll(() => greeting.getByRole('img', { name: 'The shop' }).count()).toBe(1);
    expect(await greeting.textContent()).toContain('<script>window.ran = 1</script>');
    expect(await page.evaluate('window.ran')).toBeUndefined();
    const order = await inPanel(
      page,
      `[...panel.querySelectorAll('.greeting, .ai-notice, .suggestions')].map((each) => each.classList[0])`,
    );
    expect(order).toEqual(['greeting', 'ai-notice', 'suggestions']);
    await expect.poll(() => log.getByText('How can I help?').count()).toBe(0);
    await say('Hello');
    await expect.poll(() => greeting.count()).toBe(0);
    await panel.getByRole('button', { name: 'New conversation' }).click();
    await greeting.waitFor();
  });

  it('keeps the focus of a link while the panel is drawn anew, and axe finds nothing', async () => {
    const { page, panel, openPanel } = await website(pages, {
      settings: { HELPER__CLIENT__WELCOMEMESSAGE: '<p>Read the <a href="/help">help</a>.</p>' },
      page: { bypassCSP: true },
    });
    await openPanel();
    await panel.getByRole('link', { name: 'help' }).focus();
    await page.evaluate(`HelperWidget.init({ theme: 'dark', botName: 'Ada' })`);
    await panel.getByRole('heading', { name: 'Ada' }).waitFor();
    expect(await hasFocus(page, '.greeting a')).toBe(true);
    expect(await axeViolations(page)).toEqual([]);
  });

  it('of a page is text', async () => {
    const { page, panel, openPanel } = await website(pages, { tag: 'data-welcome-message="Hello <b>you</b>"' });
    await openPanel();
    expect(await panel.locator('.greeting').textContent()).toBe('Hello <b>you</b>');
    await page.evaluate(`HelperWidget.init({ welcomeMessage: 'Welcome back' })`);
    await panel.locator('.greeting').getByText('Welcome back').waitFor();
  });
});

describeInBrowser('the embed page goes by the top level (contract/configuration.md)', (pages) => {
  it('with its own name, greeting and suggestions', async () => {
    const { url } = await realServer({
      HELPER__BOTNAME: 'Top',
      HELPER__WELCOMEMESSAGE: '<b>From the top</b>',
      HELPER__CLIENT__BOTNAME: 'Client',
      HELPER__CLIENT__WELCOMEMESSAGE: 'From the client',
      HELPER__CLIENT__SUGGESTIONS: '[What is open?]',
    });
    const host = await hostPage();
    host.serve({ html: '<!doctype html><title>Nothing</title>' });
    const { page, panel } = await pages.open(`${url}/helper/embed`);
    await panel.locator('.greeting b').getByText('From the top').waitFor();
    expect(await page.title()).toBe('Top');
    await panel.getByRole('button', { name: 'What is open?' }).waitFor();
  });
});

describeInBrowser('client.hubUrl (contract/widget.md)', (pages) => {
  // proves service-2.20-07
  it('has the widget chat, ask and answer at the server it names, not where its script came from', async () => {
    const host = await hostPage();
    const chat = await realServer({ HELPER__CORS__DEFAULT__ORIGINS: JSON.stringify([host.origin]) });
    const scripts = await realServer({ HELPER__CLIENT__HUBURL: `${chat.url}/helper-hub` });
    host.serve({
      html: `<!doctype html><html lang="en"><title>Shop</title><script async src="${scripts.url}/helper/widget.js"></script>`,
    });
    const { page, panel, openPanel, say } = await pages.open(host.url);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await openPanel();
    await say('Cancel order 1002');
    await panel.getByRole('button', { name: 'Cancel the order' }).click();
    await panel.locator('details.confirmation').getByText('Done').waitFor();
    const paths = asked.filter((address) => !address.includes('/helper/assets/')).map((address) => new URL(address));
    expect(paths.map(({ pathname }) => pathname)).toContain('/helper/approve');
    expect(new Set(paths.map(({ origin }) => origin))).toEqual(new Set([chat.url]));
  });
});

describeInBrowser('a page that reads from right to left', (pages) => {
  it('leaves sentences of the widget, code and the order of its own words alone', async () => {
    const { page, openPanel, composer } = await website(pages, { html: 'lang="ar" dir="rtl"' });
    await openPanel();
    for (const selector of ['.welcome h3', '.welcome p', '.ai-notice']) {
      expect(await styleOf(page, selector, 'unicodeBidi')).toBe('plaintext');
    }
    // The question mark stands behind the words, so further right.
    const [words, mark] = await inPanel<[number, number]>(
      page,
      `((text) => [[0, 3], [text.length - 1, text.length]].map(([start, end]) => {
        const range = document.createRange();
        range.setStart(text, start);
        range.setEnd(text, end);
        return range.getBoundingClientRect().x;
      }))(find('.welcome h3').firstChild)`,
    );
    expect(mark).toBeGreaterThan(words);
    await composer.fill('x'.repeat(4001));
    expect(await styleOf(page, '.composer-error', 'unicodeBidi')).toBe('plaintext');
  });
});
