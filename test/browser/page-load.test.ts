import { expect, it } from 'vitest';
import { describeInBrowser, type Pages, type WidgetPage } from '../support/browser.ts';
import { inTwoParts } from '../support/in-two-parts.ts';
import { realServer } from '../support/real-server.ts';
import { calling, hangingAfter, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

const order = { orderNumber: 1002 };

interface KeptPage extends WidgetPage {
  /** Resolves when the turn has ended and the conversation was sealed that often. */
  readonly sealed: (times: number) => Promise<void>;
}

async function openKept(pages: Pages, url: string): Promise<KeptPage> {
  const widget = await pages.open(url);
  let count = 0;
  widget.page.on('requestfinished', (request) => {
    if (request.method() === 'GET' && request.url().includes('/helper/session')) count += 1;
  });
  const sealed = async (times: number): Promise<void> => {
    await widget.panel.getByRole('button', { name: 'Send' }).waitFor();
    await expect.poll(() => count).toBe(times);
    // The request is over for the network before the page has read its answer. The page reads a later answer after that one.
    await widget.page.evaluate(`fetch('/healthz').then((response) => response.text())`);
  };
  return { ...widget, sealed };
}

/** The record that the widget has left for the next page of the tab. */
async function left({ page }: WidgetPage, url: string): Promise<string> {
  // This page has no widget that would take the record.
  await page.goto(`${url}/healthz`);
  return page.evaluate<string>(`JSON.stringify({ ...sessionStorage })`);
}

describeInBrowser(
  'a page load in the middle of a conversation (contract/hub.md#when-the-line-breaks and contract/confirmations.md)',
  (pages) => {
    it('loses nothing of a reply that runs', async () => {
      const reply = inTwoParts('The first half, ', 'and the second.');
      const { url } = await scriptedServer({ scripts: [saying('Hello Ann.'), reply.script] });
      const widget = await openKept(pages, url);
      const { page, panel, log } = widget;
      await widget.openPanel();
      await widget.say('I am Ann');
      await widget.sealed(1);
      await widget.say('Tell me all');
      await log.getByText('The first half,').waitFor();
      await page.reload();
      await log.getByText('The first half,').waitFor();
      reply.goOn();
      await log.getByText('The first half, and the second.').waitFor();
      await panel.getByRole('button', { name: 'Send' }).waitFor();
      expect(await panel.locator('.from-user .bubble').allTextContents()).toEqual(['I am Ann', 'Tell me all']);
      await expect.poll(() => panel.locator('.from-bot').count()).toBe(2);
    });

    it('keeps an open question, which is answered on the next page', async () => {
      const { url } = await scriptedServer({
        scripts: [calling({ name: 'cancel_order', arguments: order }), saying('It is cancelled.')],
      });
      const { page, panel, log, openPanel, say } = await pages.open(url);
      await openPanel();
      await say('Cancel it');
      await panel.locator('.confirmation').waitFor();
      await page.goto(`${url}/?order=1002`);
      await panel.getByRole('button', { name: 'Cancel the order' }).click();
      await log.getByText('It is cancelled.').waitFor();
      await expect.poll(() => panel.locator('.confirmation').count()).toBe(1);
      await page.locator('tr[data-key="1002"]').getByText('cancelled').waitFor();
    });

    it('says of a question at which the user stopped that it was stopped', async () => {
      const { url } = await scriptedServer({ scripts: [calling({ name: 'cancel_order', arguments: order })] });
      const widget = await openKept(pages, url);
      const { page, panel, log } = widget;
      await widget.openPanel();
      await widget.say('Cancel it');
      await panel.locator('.confirmation.is-open').waitFor();
      await panel.getByRole('button', { name: 'Stop' }).click();
      await log.getByText('Stopped').waitFor();
      await widget.sealed(1);
      await page.reload();
      await log.getByText('Stopped').waitFor();
      await panel.locator('.confirmation.is-cancelled').waitFor();
      await expect.poll(() => panel.locator('.confirmation').count()).toBe(1);
    });

    it('shows what was said and done, and the model knows it', async () => {
      const { url, model } = await scriptedServer({
        scripts: [
          saying('Hello Ann.'),
          calling({ name: 'get_order', arguments: order }),
          saying('It is open.'),
          saying('You are Ann.'),
        ],
      });
      const widget = await openKept(pages, url);
      const { page, panel, log } = widget;
      await widget.openPanel();
      await widget.say('I am Ann');
      await widget.sealed(1);
      await widget.say('And my order?');
      await log.getByText('It is open.').waitFor();
      await widget.sealed(2);
      await page.reload();
      await log.getByText('It is open.').waitFor();
      expect(await panel.locator('.from-user .bubble').allTextContents()).toEqual(['I am Ann', 'And my order?']);
      await expect.poll(() => panel.locator('.action-line.is-succeeded').count()).toBe(1);
      await widget.say('Who am I?');
      await log.getByText('You are Ann.').waitFor();
      expect(JSON.stringify(model.requests.at(-1)?.body['messages'])).toContain('I am Ann');
    });

    it('shows of every answer what was asked, done and shown, not of the last alone', async () => {
      const { url } = await scriptedServer({
        scripts: [
          calling({ name: 'get_order', arguments: order }),
          saying('It is open.'),
          calling({ name: 'cancel_order', arguments: order }),
          saying('It is cancelled.'),
          calling({ name: 'change_address', arguments: { ...order, address: '2 Canal Side, Glasgow' } }),
          saying('As you wish.'),
          saying('You are welcome.'),
        ],
      });
      const widget = await openKept(pages, url);
      const { page, panel, log } = widget;
      await widget.openPanel();
      await widget.say('How is my order?');
      await widget.sealed(1);
      await widget.say('Cancel it');
      await panel.getByRole('button', { name: 'Cancel the order' }).click();
      await log.getByText('It is cancelled.').waitFor();
      await widget.sealed(2);
      await widget.say('Send it elsewhere');
      await panel.getByRole('button', { name: 'Decline' }).click();
      await log.getByText('As you wish.').waitFor();
      await widget.sealed(3);
      await widget.say('Thanks');
      await widget.sealed(4);
      const texts = (): Promise<string[]> => panel.locator('.bubble, .action-line, summary, .card').allInnerTexts();
      await expect.poll(async () => (await texts()).filter((text) => text.includes('1002'))).not.toHaveLength(0);
      const before = await texts();
      expect(before).toHaveLength(13);
      await page.reload();
      await log.getByText('You are welcome.').waitFor();
      await expect.poll(texts).toEqual(before);
      await panel.locator('.confirmation.is-declined > summary').click();
      await panel.locator('.confirmation.is-declined dd').getByText('2 Canal Side, Glasgow').waitFor();
      // The page after it shows the same conversation again.
      await page.goto(`${url}/?order=1002`);
      await log.getByText('You are welcome.').waitFor();
      await expect.poll(texts).toEqual(before);
    });

    it('keeps the panel and what was being written, without taking the focus from the page', async () => {
      const { url } = await realServer();
      const { page, panel, composer, openPanel } = await pages.open(url);
      await openPanel();
      await composer.fill('Half a thou');
      await page.reload();
      await panel.waitFor({ state: 'visible' });
      await expect.poll(() => composer.inputValue()).toBe('Half a thou');
      expect(await page.evaluate<string>('document.activeElement.tagName')).toBe('BODY');
    });

    it('on a phone gives the focus to no button', async () => {
      const { url } = await scriptedServer({ scripts: [saying('Hello Ann.')] });
      const { page, panel, log, openPanel, say } = await pages.open(url, { viewport: { width: 390, height: 844 } });
      await openPanel();
      await say('I am Ann');
      await log.getByText('Hello Ann.').waitFor();
      await panel.getByRole('button', { name: 'Send' }).waitFor();
      await page.reload();
      await log.getByText('Hello Ann.').waitFor();
      await expect.poll(() => panel.locator(':focus').count()).toBe(0);
      await page.keyboard.press('Enter');
      await expect.poll(() => log.getByText('Hello Ann.').count()).toBe(1);
    });

    it('begins anew where something else stands in the storage', async () => {
      const { url } = await realServer();
      const { page, panel, messages } = await pages.open(`${url}/healthz`);
      const records = [
        '!',
        '!{',
        '!null',
        '!{"isOpen":true}',
        '!{"id":"x","isOpen":true,"draft":"","conversation":{"user":"false ","turn":{}}}',
      ];
      for (const record of records) {
        await page.evaluate(`sessionStorage.setItem('helper:${url}/helper/widget.js', ${JSON.stringify(record)})`);
        await page.goto(url);
        await panel.locator('.welcome').waitFor({ state: 'attached' });
        await expect.poll(() => panel.locator('.message').count()).toBe(0);
        await page.goto(`${url}/healthz`);
      }
      expect(messages).toEqual([]);
    });

    it('that the assistant caused happens once, and the conversation is there', async () => {
      const { url } = await scriptedServer({
        scripts: [calling({ name: 'navigate_to_page', arguments: { page: 'order_desk' } }), saying('There it is.')],
        settings: {
          pages: [{ name: 'order_desk', title: 'Order 1002', url: '/?order=1002', description: 'One order.' }],
        },
      });
      const { page, panel, log, openPanel, say } = await pages.open(url);
      const loads: string[] = [];
      page.on('load', () => loads.push(page.url()));
      // The demo page would open the address without a page load, so its listener is disabled.
      await page.evaluate(
        `document.addEventListener('helper:navigate', (event) => event.stopImmediatePropagation(), true)`,
      );
      await openPanel();
      await say('Show me order 1002');
      await page.waitForURL(/order=1002/);
      await log.getByText('There it is.').waitFor();
      await panel.getByRole('button', { name: 'Send' }).waitFor();
      expect(loads).toHaveLength(1);
      await page.reload();
      await log.getByText('There it is.').waitFor();
      expect(await panel.locator('.from-user .bubble').allTextContents()).toEqual(['Show me order 1002']);
    });

    it('leaves ids and the sealed conversation behind, and nothing of what was said', async () => {
      const { url } = await scriptedServer({ scripts: [saying('A secret answer.')] });
      const widget = await openKept(pages, url);
      await widget.openPanel();
      await widget.say('Tell me a secret');
      await widget.sealed(1);
      const kept = await left(widget, url);
      expect(kept).toContain('hs1.');
      expect(kept).not.toContain('A secret answer');
      expect(kept).not.toContain('Tell me a secret');
    });

    it('does not mix two tabs', async () => {
      const { url } = await scriptedServer({ scripts: [saying('Hello Ann.'), saying('Who are you?')] });
      const widget = await openKept(pages, url);
      await widget.openPanel();
      await widget.say('I am Ann');
      await widget.sealed(1);
      const opened = widget.page.waitForEvent('popup');
      // The new tab gets a copy of the storage of this one.
      await widget.page.evaluate(`void window.open(location.href)`);
      const second = await opened;
      const panel = second.locator('helper-widget dialog.panel');
      await second.locator('helper-widget .launcher').click();
      await panel.locator('.welcome').waitFor();
      await expect.poll(() => panel.locator('.message').count()).toBe(0);
      await expect.poll(() => widget.panel.locator('.message').count()).toBe(2);
    });

    it('goes on in one tab alone, also when one is duplicated before the panel was opened again', async () => {
      const { url } = await scriptedServer({ scripts: [saying('Hello Ann.')] });
      const widget = await openKept(pages, url);
      await widget.openPanel();
      await widget.say('I am Ann');
      await widget.sealed(1);
      await widget.page.evaluate(`HelperWidget.close()`);
      await widget.page.reload();
      const opened = widget.page.waitForEvent('popup');
      await widget.page.evaluate(`void window.open(location.href)`);
      const second = await opened;
      await second.locator('helper-widget .launcher').click();
      await second.locator('helper-widget .message').nth(1).waitFor();
      await widget.openPanel();
      await widget.composer.fill('Who am I?');
      await widget.panel.locator('.welcome').waitFor();
      await expect.poll(() => widget.panel.locator('.message').count()).toBe(0);
    });

    it('works where storage is blocked', async () => {
      const { url } = await scriptedServer({ scripts: [saying('Hello Ann.'), saying('Here I am.')] });
      const widget = await openKept(pages, `${url}/healthz`);
      await widget.page.addInitScript(
        `Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException('no', 'SecurityError'); } })`,
      );
      await widget.page.goto(url);
      await widget.openPanel();
      await widget.say('I am Ann');
      await widget.log.getByText('Hello Ann.').waitFor();
      await widget.page.reload();
      await widget.openPanel();
      await widget.panel.locator('.welcome').waitFor();
      await widget.say('Hello?');
      await widget.log.getByText('Here I am.').waitFor();
      expect(widget.messages).toEqual([]);
    });

    it('marks a reply that cannot be had any more, which can be asked again', async () => {
      const { url } = await scriptedServer({
        scripts: [hangingAfter('Half of it'), saying('The whole answer.')],
        overrides: { HELPER__SERVER__DISCONNECTGRACE: '0', HELPER__SERVER__RESUMEWINDOW: '0' },
      });
      const { page, panel, log, openPanel, say } = await pages.open(url);
      await openPanel();
      await say('Hello');
      await log.getByText('Half of it').waitFor();
      await page.reload();
      await log.getByText('this answer is incomplete').waitFor();
      await panel.getByRole('button', { name: 'Try again' }).click();
      await log.getByText('The whole answer.').waitFor();
    });
  },
);

describeInBrowser('a page that comes back too late (contract/hub.md#when-the-line-breaks)', (pages) => {
  const overrides = { HELPER__SERVER__DISCONNECTGRACE: '0' };

  it('finds its answer broken off, not stopped, and can ask again', async () => {
    const { url, model } = await scriptedServer({
      scripts: [hangingAfter('Half of it'), saying('The whole answer.')],
      overrides,
    });
    const { page, panel, log, openPanel, say } = await pages.open(url);
    await openPanel();
    await say('Hello');
    await log.getByText('Half of it').waitFor();
    await page.goto('about:blank');
    await model.requests[0]?.closed;
    await page.goBack();
    await log.getByText('this answer is incomplete').waitFor();
    await expect.poll(() => panel.getByText('Stopped').count()).toBe(0);
    await panel.getByRole('button', { name: 'Try again' }).click();
    await log.getByText('The whole answer.').waitFor();
  });

  it('gives what waited behind the answer back to the composer', async () => {
    const { url } = await scriptedServer({ scripts: [hangingAfter('Half of it')], overrides });
    const { page, log, composer, openPanel, say } = await pages.open(url);
    await openPanel();
    await say('Hello');
    await log.getByText('Half of it').waitFor();
    await page.evaluate(`void HelperWidget.send('And then?')`);
    await page.reload();
    await expect.poll(() => composer.inputValue()).toBe('And then?');
  });
});

describeInBrowser('a page load of a user with a token (contract/widget.md#the-script)', (pages) => {
  const overrides = { HELPER__AUTH__JWT__SECRET: tokenSecret };
  const provide = (token: string): string => `HelperWidget.setTokenProvider(async () => ${JSON.stringify(token)})`;

  it('goes on as soon as the page says who its user is', async () => {
    const token = await makeToken({ sub: 'ann', name: 'Ann' });
    const { url } = await scriptedServer({ scripts: [saying('Hello Ann.')], overrides });
    const widget = await openKept(pages, url);
    await widget.page.evaluate(provide(token));
    await widget.openPanel();
    await widget.say('Good morning');
    await widget.sealed(1);
    await widget.composer.fill('And then');
    await widget.page.reload();
    // The page sets its function only now, after the panel has come back.
    await widget.panel.waitFor({ state: 'visible' });
    await widget.page.evaluate(provide(token));
    await widget.log.getByText('Hello Ann.').waitFor();
    await expect.poll(() => widget.composer.inputValue()).toBe('And then');
  });

  it('shows another user nothing of it, not even what was being written', async () => {
    const { url } = await scriptedServer({ scripts: [saying('Hello Ann.'), saying('Hello Bob.')], overrides });
    const widget = await openKept(pages, url);
    await widget.page.evaluate(provide(await makeToken({ sub: 'ann', name: 'Ann' })));
    await widget.openPanel();
    await widget.say('Good morning');
    await widget.sealed(1);
    await widget.composer.fill('And then');
    await widget.page.reload();
    await widget.panel.waitFor({ state: 'visible' });
    await widget.page.evaluate(provide(await makeToken({ sub: 'bob', name: 'Bob' })));
    await widget.say('It is me, Bob');
    await widget.log.getByText('Hello Bob.').waitFor();
    expect(await widget.panel.locator('.from-user .bubble').allTextContents()).toEqual(['It is me, Bob']);
    await widget.sealed(2);
    expect(await left(widget, url)).not.toContain('And then');
  });

  it('leaves nothing once the user has signed out', async () => {
    const { url } = await scriptedServer({ scripts: [saying('Hello Ann.')], overrides });
    const widget = await openKept(pages, url);
    await widget.page.evaluate(provide(await makeToken({ sub: 'ann', name: 'Ann' })));
    await widget.openPanel();
    await widget.say('Good morning');
    await widget.sealed(1);
    await widget.composer.fill('And then');
    await widget.page.evaluate(`HelperWidget.signOut()`);
    await widget.panel.locator('.welcome').waitFor();
    await expect.poll(() => widget.composer.inputValue()).toBe('');
    const kept = await left(widget, url);
    expect(kept).not.toContain('hs1.');
    expect(kept).not.toContain('And then');
  });
});
