import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { realServer } from '../support/real-server.ts';
import { calling, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';

describeInBrowser('HelperWidget, as a page calls it (contract/widget.md)', (pages) => {
  it('takes widget and launcher off the screen and brings them back, with the conversation', async () => {
    const { url } = await scriptedServer({ scripts: [saying('Hello.')] });
    const { page, panel, launcher, log, openPanel, say } = await pages.open(url);
    await openPanel();
    await say('Good morning');
    await log.getByText('Hello.').waitFor();
    await page.evaluate(`HelperWidget.hide()`);
    await launcher.waitFor({ state: 'hidden' });
    await expect.poll(() => panel.isVisible()).toBe(false);
    expect(await page.evaluate(`HelperWidget.getState()`)).toMatchObject({ isHidden: true, isOpen: false });
    await page.evaluate(`HelperWidget.show()`);
    await openPanel();
    await expect.poll(() => panel.locator('.message').count()).toBe(2);
  });

  it('says what it is doing, and tells what came while the panel was closed', async () => {
    const script = calling({ name: 'cancel_order', arguments: { orderNumber: 1002 } });
    const { url } = await scriptedServer({ scripts: [script] });
    const { page, panel, openPanel, say } = await pages.open(url);
    const atRest = { isOpen: false, isHidden: false, isRunning: false, openConfirmations: 0, unread: 0 };
    expect(await page.evaluate(`HelperWidget.getState()`)).toEqual({ ...atRest, connection: 'idle' });
    await page.evaluate(`window.counts = []; HelperWidget.on('unread', ({ count }) => counts.push(count))`);
    await openPanel();
    await say('Cancel it');
    await page.evaluate(`HelperWidget.close()`);
    await expect
      .poll(() => page.evaluate(`HelperWidget.getState()`))
      .toEqual({ ...atRest, isRunning: true, openConfirmations: 1, unread: 1, connection: 'connected' });
    await openPanel();
    await panel.locator('.confirmation').waitFor();
    expect(await page.evaluate(`counts`)).toEqual([1, 0]);
  });

  it('goes to pages through the function that the page has set', async () => {
    const { url } = await scriptedServer({
      scripts: [calling({ name: 'navigate_to_page', arguments: { page: 'basket' } }), saying('There it is.')],
      settings: { pages: [{ name: 'basket', title: 'Your basket', url: '/basket', description: 'The basket.' }] },
    });
    const { page, log, openPanel, say } = await pages.open(url);
    await page.evaluate(`window.went = []; HelperWidget.setNavigator((to) => went.push(to))`);
    await openPanel();
    await say('Show me my basket');
    await log.getByText('There it is.').waitFor();
    expect(await page.evaluate(`went`)).toEqual([{ url: '/basket', page: 'basket', title: 'Your basket' }]);
    expect(page.url()).toBe(`${url}/`);
    await expect(page.evaluate(`HelperWidget.setNavigator('basket')`)).rejects.toThrow('setNavigator takes a function');
  });

  // proves wire-9-39
  it('forgets what the page has told about itself, and sends nothing of a page without a name', async () => {
    const { url, model } = await scriptedServer({ scripts: [saying('One.'), saying('Two.'), saying('Three.')] });
    const { page, log, openPanel, say } = await pages.open(url);
    await page.evaluate(`HelperWidget.setContext({ pageName: 'Basket 77', pageData: { total: 12 } })`);
    await openPanel();
    await say('Where am I?');
    await log.getByText('One.').waitFor();
    await page.evaluate(`HelperWidget.clearContext()`);
    await say('And now?');
    await log.getByText('Two.').waitFor();
    await page.evaluate(`HelperWidget.setContext({ pageName: '' })`);
    await say('Still there?');
    await log.getByText('Three.').waitFor();
    const asked = model.requests.map(({ body }) => JSON.stringify((body['messages'] as unknown[]).at(-1)));
    expect(asked[0]).toContain('Basket 77');
    expect(asked[1]).not.toContain('Basket 77');
    expect(asked.map((message) => message.includes('page the user is on'))).toEqual([true, true, false]);
  });

  it('changes theme and language at once, and one listener may hear several events', async () => {
    const { url } = await realServer();
    const { page, launcher, openPanel } = await pages.open(url);
    await page.evaluate(`(() => {
      window.heard = [];
      const hear = (detail, event) => heard.push(event.type);
      HelperWidget.on('open', hear);
      HelperWidget.on('close', hear);
      HelperWidget.off('open', hear);
      HelperWidget.on('open', hear);
    })()`);
    await page.evaluate(`HelperWidget.setLanguage('german')`);
    await page.evaluate(`HelperWidget.setTheme('dark')`);
    expect(await launcher.getAttribute('aria-label')).toBe('Chat öffnen');
    expect(await page.locator('helper-widget .root').getAttribute('class')).toContain('theme-Dark');
    await openPanel();
    await page.evaluate(`HelperWidget.close()`);
    expect(await page.evaluate(`heard`)).toEqual(['helper:open', 'helper:close']);
  });
});
