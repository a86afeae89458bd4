import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser, type Pages, type WidgetPage } from '../support/browser.ts';
import { hasFocus, inPanel } from '../support/in-panel.ts';
import { calling, chunk, ending, type ModelScript, saying } from '../support/scripted-model.ts';
import { realServer } from '../support/real-server.ts';
import { scriptedServer } from '../support/scripted-server.ts';

const plugin = `export default {
  name: 'desk',
  actions: [{
    name: 'issue_refund', title: 'Issue a refund', description: 'Pays money back to the customer.',
    parameters: { type: 'object', properties: {
      orderNumber: { type: 'integer', title: 'Order number' }, amount: { type: 'string', title: 'Amount' },
      note: { type: 'string', title: 'Note' },
    } },
    execute: () => 'Refunded.',
  }],
}`;

const longReply = saying(`${'A line that fills the panel. '.repeat(60)}\n\n- one\n- two\n- three`);

function asking(args: object = { orderNumber: 1003, amount: '€30.00' }): ModelScript {
  return calling({ name: 'issue_refund', arguments: args });
}

/** The parts of the question that are completely visible, and the distance of the transcript from its end. */
const seen = `(() => {
  const log = document.querySelector('helper-widget').shadowRoot.querySelector('.log');
  const frame = log.getBoundingClientRect();
  const isSeen = (part) => {
    const parts = [...log.querySelectorAll('.confirmation.is-open ' + part)].map((element) => element.getBoundingClientRect());
    return parts.length > 0 && parts.every(({ top, bottom }) => top >= frame.top - 1 && bottom <= frame.bottom + 1);
  };
  const left = Math.round(log.scrollHeight - log.clientHeight - log.scrollTop);
  return { title: isSeen('.confirm-title'), values: isSeen('.arguments'), buttons: isSeen('.actions .button'), left };
})()`;

interface Seen {
  readonly title: boolean;
  readonly values: boolean;
  readonly buttons: boolean;
  readonly left: number;
}

const look = (page: Page): Promise<Seen> => page.evaluate<Seen>(seen);

async function panelOf(
  pages: Pages,
  scripts: readonly ModelScript[],
  viewport = { width: 1280, height: 800 },
): Promise<WidgetPage> {
  const { url } = await scriptedServer({ scripts, plugin });
  const widgetPage = await pages.open(url, { viewport, hasTouch: true });
  await widgetPage.openPanel();
  return widgetPage;
}

/** A reply that waits in its middle until the test lets it continue. */
function inTwoHalves(): { readonly script: ModelScript; readonly goOn: () => void } {
  let goOn = (): void => undefined;
  const may = new Promise<void>((resolve) => (goOn = resolve));
  const half = 'A line that fills the panel. '.repeat(60);
  const script: ModelScript = async (exchange) => {
    await exchange.send(chunk({ role: 'assistant', content: half }));
    await may;
    await exchange.send(chunk({ content: `\n\n${half}\n\nThe last line.` }) + ending());
    exchange.end();
  };
  return { script, goOn };
}

describeInBrowser('the transcript follows what happens in it', (pages) => {
  it.each([
    ['beside a page', { width: 1280, height: 800 }],
    ['on a phone', { width: 390, height: 844 }],
  ])('a question comes into view as a whole, time after time: %s', async (_title, viewport) => {
    const times = 4;
    const scripts = Array.from({ length: times }, () => [asking(), longReply]).flat();
    const { page, panel, say } = await panelOf(pages, scripts, viewport);
    for (let time = 1; time <= times; time += 1) {
      await say('Refund it');
      const approve = panel.getByRole('button', { name: 'Approve' });
      await approve.waitFor();
      await expect.poll(() => look(page)).toMatchObject({ title: true, values: true, buttons: true });
      await expect.poll(() => panel.locator('.jump').count()).toBe(0);
      await approve.click();
      await expect.poll(() => panel.getByText('three').count()).toBe(time);
      await expect.poll(async () => (await look(page)).left).toBeLessThanOrEqual(1);
    }
  });

  it('at 400 % of magnification the values and both buttons of a question are seen together (WCAG 1.4.10)', async () => {
    const { page, panel, say } = await panelOf(pages, [asking()], { width: 320, height: 256 });
    await say('Refund it');
    await panel.locator('.confirmation').waitFor();
    await expect.poll(() => look(page)).toMatchObject({ values: true, buttons: true });
  });

  it('at 400 % also where nothing is left above the values', async () => {
    const { url } = await realServer();
    const { page, panel, openPanel, say } = await pages.open(url, { viewport: { width: 320, height: 256 } });
    await openPanel();
    await say('Change the address of order 1005 to 2 Canal Side, Glasgow G4 9XA');
    await panel.locator('.confirmation').waitFor();
    await expect.poll(() => look(page)).toMatchObject({ values: true, buttons: true });
  });

  it('a question that is taller than the panel is read from its top, and stays where its reader takes it', async () => {
    const note = Array.from({ length: 6 }, (_, line) => `Line ${String(line)} of a note`).join(' and ');
    const args = { orderNumber: 1, amount: 'x '.repeat(110), note };
    const { page, panel, say } = await panelOf(pages, [longReply, asking(args)], { width: 320, height: 360 });
    await say('Hello');
    await panel.getByText('three').waitFor();
    await say('Refund it');
    await panel.locator('.confirmation').waitFor();
    await expect.poll(() => look(page)).toMatchObject({ title: true, buttons: false });
    await panel.locator('.confirmation').hover();
    await page.mouse.wheel(0, 2000);
    await expect.poll(() => look(page)).toMatchObject({ buttons: true });
    await page.setViewportSize({ width: 320, height: 350 });
    await expect.poll(() => look(page)).toMatchObject({ buttons: true });
  });

  it('goes on to the end of a reply while nobody turns away', async () => {
    const { script, goOn } = inTwoHalves();
    const { page, panel, say } = await panelOf(pages, [script]);
    await say('Hello');
    await panel.getByText('A line that fills').waitFor();
    goOn();
    await panel.getByText('The last line.').waitFor();
    await expect.poll(async () => (await look(page)).left).toBeLessThanOrEqual(1);
    await expect.poll(() => panel.locator('.jump').count()).toBe(0);
  });

  it.each([
    ['the wheel', (page: Page) => page.mouse.wheel(0, -120)],
    [
      'a key',
      async (page: Page) => {
        await page.keyboard.press('F6');
        await page.keyboard.press('PageUp');
      },
    ],
    ['a key in the empty message', (page: Page) => page.keyboard.press('PageUp')],
    [
      'a finger',
      async (page: Page) => {
        const session = await page.context().newCDPSession(page);
        const touch = (type: 'touchStart' | 'touchMove', y: number): Promise<unknown> =>
          session.send('Input.dispatchTouchEvent', { type, touchPoints: [{ x: 1000, y }] });
        await touch('touchStart', 300);
        for (let y = 310; y <= 500; y += 10) await touch('touchMove', y);
        await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
      },
    ],
    [
      // The browser of these tests draws no bar, so the scrolling that comes with it is played.
      'the bar',
      async (page: Page) => {
        await page.mouse.down();
        await inPanel(page, `find('.log').scrollBy(0, -200)`);
        await page.mouse.move(900, 300);
        await page.mouse.up();
      },
    ],
  ])('%s ends the following, and the button leads back', async (_title, turnAway) => {
    const { script, goOn } = inTwoHalves();
    const { page, panel, log, say } = await panelOf(pages, [script]);
    await say('Hello');
    await panel.getByText('A line that fills').waitFor();
    await expect.poll(async () => (await look(page)).left).toBeLessThanOrEqual(1);
    await log.hover();
    await turnAway(page);
    const jump = panel.getByRole('button', { name: 'Jump to latest' });
    await jump.waitFor();
    goOn();
    await panel.getByText('The last line.').waitFor();
    expect((await look(page)).left).toBeGreaterThan(100);
    await jump.click();
    await expect.poll(async () => (await look(page)).left).toBeLessThanOrEqual(1);
    await expect.poll(() => jump.count()).toBe(0);
  });

  it('a reader who has turned away is told that a question waits, and is led to it', async () => {
    let ask = (): void => undefined;
    const mayAsk = new Promise<void>((resolve) => (ask = resolve));
    const scripts = [longReply, (exchange: Parameters<ModelScript>[0]) => mayAsk.then(() => asking()(exchange))];
    const { page, panel, log, say } = await panelOf(pages, scripts);
    await say('Hello');
    await panel.getByText('three').waitFor();
    await say('Refund it');
    await log.hover();
    await page.mouse.wheel(0, -200);
    await panel.getByRole('button', { name: 'Jump to latest' }).waitFor();
    ask();
    const jump = panel.getByRole('button', { name: 'Go to the question' });
    await jump.waitFor();
    expect(await look(page)).toMatchObject({ buttons: false });
    await jump.click();
    await expect.poll(() => look(page)).toMatchObject({ title: true, values: true, buttons: true });
  });

  it('what the page scrolls by program does not end it', async () => {
    const { script, goOn } = inTwoHalves();
    const { page, panel, say } = await panelOf(pages, [script]);
    await say('Hello');
    await panel.getByText('A line that fills').waitFor();
    await expect.poll(async () => (await look(page)).left).toBeLessThanOrEqual(1);
    await inPanel(page, `find('.log').scrollTo(0, 0)`);
    goOn();
    await panel.getByText('The last line.').waitFor();
    await expect.poll(async () => (await look(page)).left).toBeLessThanOrEqual(1);
  });

  it('F6 leads from the message to the question, and back', async () => {
    const { page, panel, say } = await panelOf(pages, [asking()]);
    await say('Refund it');
    await panel.locator('.confirmation').waitFor();
    const focused = `document.querySelector('helper-widget').shadowRoot.activeElement.className`;
    await page.keyboard.press('F6');
    expect(await page.evaluate(focused)).toBe('confirmation is-open');
    await page.keyboard.press('Tab');
    expect(await hasFocus(page, '.button.primary')).toBe(true);
    await page.keyboard.press('F6');
    expect(await hasFocus(page, 'textarea')).toBe(true);
  });
});
