import { expect, it } from 'vitest';
import { recordAnnouncements } from '../support/announcements.ts';
import { axeViolations } from '../support/axe-violations.ts';
import { describeInBrowser, type Pages, type WidgetPage } from '../support/browser.ts';
import { cuttingProxy, type CuttingProxy } from '../support/cutting-proxy.ts';
import { hostPage } from '../support/host-page.ts';
import { inTwoParts } from '../support/in-two-parts.ts';
import { calling, type ModelScript, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

const nowhere = 'http://127.0.0.1:9';

/** Everything of which the header or its menu has something to show. */
const everything = {
  actions: 'none',
  auth: { jwt: { secret: tokenSecret } },
  chatHistoryProvider: 'storage',
  budgets: [{ per: 'user', tokens: 100_000, then: 'refuse' }],
  enableVoiceOutput: true,
  showMcpStatus: true,
  showA2AStatus: true,
  mcpServers: [{ name: 'erp', serverUrl: nowhere }],
  remoteAgents: [{ name: 'Warehouse', description: 'Knows stock levels.', agentCardUrl: nowhere }],
  botName: `Helper of the ${'very '.repeat(12)}long name`,
};

async function signedIn(
  pages: Pages,
  width: number,
  scripts: readonly ModelScript[] = [saying('Hello.')],
): Promise<WidgetPage & { readonly line: CuttingProxy }> {
  const { url } = await scriptedServer({ scripts, settings: everything });
  const line = await cuttingProxy(url);
  const opened = await pages.open(line.url, { bypassCSP: true, viewport: { width, height: 740 } });
  const token = await makeToken({ sub: 'ann' });
  await opened.page.evaluate(`HelperWidget.setTokenProvider(() => ${JSON.stringify(token)})`);
  await opened.openPanel();
  await opened.say('Hi');
  await opened.log.locator('.from-bot').waitFor();
  await opened.panel.locator('.more').waitFor();
  return { ...opened, line };
}

const focused = ({ page }: WidgetPage): Promise<string> =>
  page.evaluate(`(document.querySelector('helper-widget').shadowRoot.activeElement?.textContent ?? '').trim()`);

describeInBrowser('the header (contract/widget.md#looks)', (pages) => {
  // proves configuration-7-51
  it.each([1280, 390, 360, 320])('is one line with everything on, at a width of %i pixels', async (width) => {
    const { page, panel } = await signedIn(pages, width);
    const { height } = (await panel.locator('.header').boundingBox()) ?? {};
    expect(height).toBeLessThanOrEqual(70);
    expect(await panel.locator('.header button').count()).toBeLessThanOrEqual(3);
    const header = `document.querySelector('helper-widget').shadowRoot.querySelector('.header')`;
    // Everything in it stands side by side, and the name keeps room for some letters.
    expect(
      await page.evaluate(`(() => {
        const parts = [...${header}.children].filter((part) => part.getClientRects().length > 0 && !part.matches('.dot'));
        const boxes = parts.map((part) => part.getBoundingClientRect());
        return boxes.every((box, at) => at === 0 || box.left >= boxes[at - 1].right) &&
          ${header}.querySelector('.name').clientWidth >= 40 && ${header}.scrollWidth <= ${header}.clientWidth;
      })()`),
    ).toBe(true);
    expect(await panel.locator('.name').getAttribute('title')).toBe(everything.botName);
    expect(await axeViolations(page)).toEqual([]);
  });

  // proves configuration-7-51
  it('has a menu with labels for the rest, and words for its dot', async () => {
    const opened = await signedIn(pages, 390);
    const { page, panel, openMenu } = opened;
    await panel.locator('.dot.is-troubled').waitFor();
    const menu = await openMenu();
    await expect
      .poll(() => menu.getByRole('button').allTextContents())
      .toEqual(['Earlier conversations', 'Remaining budget', 'Read replies aloud', 'Keyboard shortcuts']);
    // Each line names what it is about, so that none reads like the heading of the next one.
    expect(await menu.locator('.menu-line').allTextContents()).toEqual([
      'Chat: Connected',
      'Remote agents: 0 of 1 connected',
      'Tool servers: 0 of 1 connected',
    ]);
    expect(await axeViolations(page)).toEqual([]);
    // The keyboard walks through it, and Escape closes the menu alone.
    expect(await focused(opened)).toBe('Earlier conversations');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await focused(opened)).toBe('Read replies aloud');
    await page.keyboard.press('Enter');
    await menu.waitFor({ state: 'detached' });
    await openMenu();
    expect(await menu.getByRole('button', { name: 'Read replies aloud' }).getAttribute('aria-pressed')).toBe('true');
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    await expect.poll(() => panel.isVisible()).toBe(true);
    // So does leaving it, and a second press of its button.
    await openMenu();
    await panel.locator('textarea').focus();
    await menu.waitFor({ state: 'detached' });
    await openMenu();
    await panel.locator('.more > button').click();
    await menu.waitFor({ state: 'detached' });
  });

  // proves configuration-7-52
  it('says over the transcript that the connection is lost, and moves nothing', async () => {
    const reply = inTwoParts('The first half, ', 'and the second.');
    const { panel, log, line, say } = await signedIn(pages, 360, [saying('Hello.'), reply.script]);
    await say('Go on');
    await log.getByText('The first half,').waitFor();
    const before = [await panel.locator('.header').boundingBox(), await log.boundingBox()];
    line.isDown = true;
    line.cut();
    await panel.getByText('Connection lost. Reconnecting…').waitFor();
    await panel.locator('.dot.is-reconnecting').waitFor();
    expect([await panel.locator('.header').boundingBox(), await log.boundingBox()]).toEqual(before);
    line.isDown = false;
    reply.goOn();
    await log.getByText('The first half, and the second.').waitFor();
    await panel.locator('.connection').waitFor({ state: 'detached' });
  });
});

const desk = `export default { name: 'desk', actions: [{ name: 'cancel', title: 'Cancel the order', description: 'Cancels.',
  parameters: { type: 'object', properties: {} }, execute: () => 'done' }] }`;

describeInBrowser('a closed panel (contract/widget.md#looks)', (pages) => {
  // proves configuration-7-53
  it('shows an open question on the launcher and in the title of the page, which the server is not told', async () => {
    const site = await hostPage();
    const { url, model } = await scriptedServer({
      plugin: desk,
      settings: { cors: { default: { origins: [site.origin] } } },
      scripts: [calling({ name: 'cancel', arguments: {} }), saying('Done.'), saying('Not a question.')],
    });
    site.serve({
      html: `<!doctype html><html lang="en"><head><title>Orders</title></head><body><main><h1>Shop</h1></main>
        <script src="${url}/helper/widget.js"></script></body></html>`,
    });
    const { page, panel, log, launcher, openPanel, say } = await pages.open(site.url, { bypassCSP: true });
    await openPanel();
    await say('Cancel it');
    await log.locator('.confirmation.is-open').waitFor();
    expect(await page.title()).toBe('Orders');
    await panel.press('Escape');
    await expect.poll(() => launcher.getAttribute('aria-label')).toBe('Open chat: 1 question waits for your answer');
    expect(await launcher.getAttribute('data-questions')).toBe('1');
    expect(await page.title()).toBe('(1) Orders');
    expect(await axeViolations(page)).toEqual([]);
    // A page that has changed its title keeps the new one.
    await page.evaluate(`document.title = 'Order 1002'`);
    await openPanel();
    expect(await page.title()).toBe('Order 1002');
    await panel.press('Escape');
    await expect.poll(() => page.title()).toBe('(1) Order 1002');
    await page.evaluate(`HelperWidget.open()`);
    await panel.getByRole('button', { name: 'Approve' }).click();
    await log.getByText('Done.').waitFor();
    await page.evaluate(`HelperWidget.send('Hello'); HelperWidget.close()`);
    await expect.poll(() => launcher.getAttribute('aria-label')).toBe('Open chat: new message');
    expect(await launcher.getAttribute('data-questions')).toBe('');
    expect(await page.title()).toBe('Order 1002');
    expect(JSON.stringify(model.requests.map(({ body }) => body))).not.toContain('(1)');
  });

  // proves wire-26-02
  it('is announced as it opens: what waits in it, or what has come', async () => {
    const { url } = await scriptedServer({
      plugin: desk,
      scripts: [calling({ name: 'cancel', arguments: {} }), saying('Done.'), saying('Hello to you.')],
    });
    const { page, panel, log, launcher, openPanel, say } = await pages.open(url, { bypassCSP: true });
    await openPanel();
    await say('Cancel it');
    await log.locator('.confirmation.is-open').waitFor();
    await panel.press('Escape');
    const said = await recordAnnouncements(page);
    await openPanel();
    await expect.poll(said).toContain('! Confirmation needed: Cancel the order. Press F6 to go to it.');
    await panel.getByRole('button', { name: 'Approve' }).click();
    await log.getByText('Done.').waitFor();
    await page.evaluate(`HelperWidget.send('Hello'); HelperWidget.close()`);
    await expect.poll(() => launcher.getAttribute('aria-label')).toBe('Open chat: new message');
    // What was said in the closed panel was said to nobody.
    await page.evaluate('window.announced = []');
    await openPanel();
    await expect.poll(said).toContain('Hello to you.');
    // Whoever opens it again has heard all of it.
    await panel.press('Escape');
    await page.evaluate('window.announced = []');
    await openPanel();
    await say('Thanks');
    await expect.poll(async () => (await said()).length).toBeGreaterThan(0);
    expect(await said()).not.toContain('Hello to you.');
  });
});
