import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { axeViolations } from '../support/axe-violations.ts';
import { describeInBrowser, type Pages, type WidgetPage } from '../support/browser.ts';
import { listOf } from '../support/kept-conversations.ts';
import { saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

const ann = await makeToken({ sub: 'ann' });

async function start(settings: object = {}): Promise<string> {
  const { url } = await scriptedServer({
    scripts: [saying('Hello Ann.'), saying('Tomorrow.'), saying('Anything else?')],
    settings: { auth: { jwt: { secret: tokenSecret } }, chatHistoryProvider: 'storage', ...settings },
  });
  return url;
}

interface ListPage extends WidgetPage {
  /** The button of the menu. */
  readonly more: Locator;
  readonly list: Locator;
  /** The chunks that the page has loaded. */
  readonly chunks: readonly string[];
}

async function openAs(pages: Pages, url: string, token: string | undefined): Promise<ListPage> {
  const opened = await pages.open(url);
  const { page, panel } = opened;
  const chunks: string[] = [];
  page.on('request', (request) => chunks.push(new URL(request.url()).pathname.replace(/^.*\/|-[^-]*$/g, '')));
  if (token !== undefined) await page.evaluate(`HelperWidget.setTokenProvider(() => ${JSON.stringify(token)})`);
  await opened.openPanel();
  const more = panel.getByRole('button', { name: 'More' });
  return { ...opened, more, list: panel.getByRole('dialog', { name: 'Earlier conversations' }), chunks };
}

const focused = (page: Page): Promise<string> =>
  page.evaluate(
    `(() => { const at = document.querySelector('helper-widget').shadowRoot.activeElement; return at?.getAttribute('aria-label') ?? at?.textContent ?? ''; })()`,
  );

describeInBrowser('the list of earlier conversations (contract/widget.md#earlier-conversations)', (pages) => {
  // proves wire-9-70, wire-9-73
  it('goes back to a conversation, with the keyboard alone, and the next message is added to it', async () => {
    const url = await start();
    const { page, panel, log, say, more, list } = await openAs(pages, url, ann);
    await say('Hello there');
    await log.getByText('Hello Ann.').waitFor();
    await panel.getByRole('button', { name: 'New conversation' }).click();
    await say('When will it come?');
    await log.getByText('Tomorrow.').waitFor();
    await more.focus();
    await page.keyboard.press('Enter');
    await panel.locator('.menu').waitFor();
    await page.keyboard.press('Enter');
    await list.getByText('Hello there').waitFor();
    expect(await focused(page)).toBe('Earlier conversations');
    expect(await list.locator('.kept-title').allTextContents()).toEqual(['When will it come?', 'Hello there']);
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    expect(await focused(page)).toBe('More');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await list.getByText('Hello there').waitFor();
    await list.getByRole('button', { name: /^Hello there/ }).press('Enter');
    await log.getByText('Hello Ann.').waitFor();
    await expect.poll(() => log.getByText('Tomorrow.').count()).toBe(0);
    await say('And now?');
    await log.getByText('Anything else?').waitFor();
    await expect
      .poll(async () => (await listOf(url, ann)).map(({ title }) => title))
      .toEqual(['Hello there', 'When will it come?']);
  });

  // proves wire-9-71, wire-9-73
  it('renames a conversation, and deletes it after a question', async () => {
    const url = await start();
    const { page, log, say, choose, list } = await openAs(pages, url, ann);
    await say('Hello there');
    await log.getByText('Hello Ann.').waitFor();
    await choose('Earlier conversations');
    await list.getByRole('button', { name: 'Rename “Hello there”' }).click();
    await page.keyboard.type('Greetings');
    await page.keyboard.press('Enter');
    await list.getByRole('button', { name: 'Rename “Greetings”' }).waitFor();
    expect(await listOf(url, ann)).toMatchObject([{ title: 'Greetings' }]);
    await list.getByRole('button', { name: 'Delete “Greetings”' }).click();
    await list.getByText('Delete “Greetings” for good?').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(await focused(page)).toBe('Keep');
    await page.keyboard.press('Escape');
    expect(await listOf(url, ann)).toHaveLength(1);
    await list.getByRole('button', { name: 'Delete “Greetings”' }).click();
    await list.getByRole('button', { name: 'Delete', exact: true }).click();
    await list.getByText('There are no earlier conversations.').waitFor();
    expect(await listOf(url, ann)).toEqual([]);
  });

  // proves wire-9-72
  it('is loaded only for a signed-in user whose conversations are kept', async () => {
    const kept = await start();
    const anonymous = await openAs(pages, kept, undefined);
    await anonymous.say('Hello there');
    await anonymous.log.getByText('Hello Ann.').waitFor();
    const without = await openAs(pages, await start({ chatHistoryProvider: null }), ann);
    await without.say('Hello there');
    await without.log.getByText('Hello Ann.').waitFor();
    for (const { openMenu } of [anonymous, without])
      expect(await (await openMenu()).getByText('Earlier conversations').count()).toBe(0);
    expect([...anonymous.chunks, ...without.chunks].filter((name) => name === 'kept')).toEqual([]);
    const signedIn = await openAs(pages, kept, ann);
    await signedIn.say('Hello there');
    await expect.poll(() => signedIn.chunks).toContain('kept');
  });
});
