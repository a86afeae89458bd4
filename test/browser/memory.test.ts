import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { axeViolations } from '../support/axe-violations.ts';
import { describeInBrowser, type Pages, type WidgetPage } from '../support/browser.ts';
import { asUser, listOf } from '../support/kept-conversations.ts';
import { bearer, factsOf, finding, textsOf } from '../support/remembering.ts';
import { type ModelScript, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

const ann = await makeToken({ sub: 'ann' });
const found = ['Has a dog.', 'Prefers short answers.'].map((text) => ({ kind: 'fact', text }));
const scripts = [saying('Hello Ann.'), saying(finding(...found)), saying('Tomorrow.'), saying(finding())];

async function start(settings: object = {}, said: readonly ModelScript[] = scripts): Promise<string> {
  const { url } = await scriptedServer({
    scripts: said,
    settings: { actions: 'none', auth: { jwt: { secret: tokenSecret } }, useMemoryContext: true, ...settings },
  });
  return url;
}

interface FactsPage extends WidgetPage {
  /** The button of the menu. */
  readonly more: Locator;
  readonly list: Locator;
  readonly chunks: readonly string[];
}

const name = 'Saved memories';

async function openAs(pages: Pages, url: string, token: string | undefined): Promise<FactsPage> {
  const opened = await pages.open(url);
  const { page, panel } = opened;
  const chunks: string[] = [];
  page.on('request', (request) => chunks.push(new URL(request.url()).pathname.replace(/^.*\/|-[^-]*$/g, '')));
  if (token !== undefined) await page.evaluate(`HelperWidget.setTokenProvider(() => ${JSON.stringify(token)})`);
  await opened.openPanel();
  return {
    ...opened,
    more: panel.getByRole('button', { name: 'More' }),
    list: panel.getByRole('dialog', { name }),
    chunks,
  };
}

/** Ann's page, after she has said two facts. */
async function remembering(pages: Pages, url: string): Promise<FactsPage> {
  const opened = await openAs(pages, url, ann);
  await opened.say('I have a dog. Be short.');
  await opened.log.getByText('Hello Ann.').waitFor();
  await textsOf(url, ann, 2);
  return opened;
}

const focused = (page: Page): Promise<string> =>
  page.evaluate(
    `(() => { const at = document.querySelector('helper-widget').shadowRoot.activeElement; return at?.getAttribute('aria-label') ?? at?.textContent ?? ''; })()`,
  );

describeInBrowser('the list of what is remembered (contract/widget.md#memory)', (pages) => {
  // proves wire-9-74, wire-9-78
  it('shows, corrects and erases facts with the keyboard alone, one of them and all', async () => {
    const url = await start();
    const { page, panel, more, list } = await remembering(pages, url);
    await more.focus();
    await page.keyboard.press('Enter');
    await panel.locator('.menu').waitFor();
    await page.keyboard.press('Enter');
    await list.getByText('Has a dog.').waitFor();
    expect(await focused(page)).toBe(name);
    expect((await list.locator('.kept-text').allTextContents()).sort()).toEqual(found.map(({ text }) => text));
    await expect.poll(() => list.getByText(/^Said on \d/).count()).toBe(2);
    expect(await axeViolations(page)).toEqual([]);

    await list.getByRole('button', { name: 'Edit “Has a dog.”' }).press('Enter');
    expect(await focused(page)).toBe('Memory');
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.type('Has two\tdogs, ');
    await page.keyboard.press('Escape');
    expect(await focused(page)).toBe('Edit “Has a dog.”');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Has  two dogs.');
    await page.keyboard.press('Enter');
    await list.getByText('The memory was updated.').waitFor();
    expect(await focused(page)).toBe('Edit “Has two dogs.”');
    expect((await factsOf(url, ann)).map(({ text }) => text).sort()).toEqual([
      'Has two dogs.',
      'Prefers short answers.',
    ]);

    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await list.getByText('Delete “Has two dogs.” for good?').waitFor();
    expect(await focused(page)).toBe('Keep');
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await factsOf(url, ann)).toHaveLength(2);
    expect(await focused(page)).toBe('Delete “Has two dogs.”');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await list.getByText('Has two dogs.').waitFor({ state: 'detached' });
    expect((await factsOf(url, ann)).map(({ text }) => text)).toEqual(['Prefers short answers.']);
    expect(await focused(page)).toBe('Edit “Prefers short answers.”');

    await list.getByRole('button', { name: 'Delete all' }).press('Enter');
    await list.getByText('Delete everything the assistant remembers about you?').waitFor();
    expect(await focused(page)).toBe('Keep');
    await page.keyboard.press('Enter');
    expect(await focused(page)).toBe('Delete all');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await list.getByText('There are no saved memories.').waitFor();
    expect(await factsOf(url, ann)).toEqual([]);
    expect(await focused(page)).toBe(name);
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    expect(await focused(page)).toBe('More');
  });

  // proves wire-9-75
  it('leads to the conversation of a fact, unless that is gone', async () => {
    const url = await start({ chatHistoryProvider: 'storage' });
    const { panel, log, say, choose, list } = await remembering(pages, url);
    await panel.getByRole('button', { name: 'New conversation' }).click();
    await say('When will it come?');
    await log.getByText('Tomorrow.').waitFor();
    await choose(name);
    await list
      .getByRole('button', { name: /^From the conversation of \d/ })
      .first()
      .click();
    await log.getByText('Hello Ann.').waitFor();
    await expect.poll(() => log.getByText('Tomorrow.').count()).toBe(0);
    await expect.poll(() => list.count()).toBe(0);

    const first = (await listOf(url, ann)).find(({ title }) => title.startsWith('I have'));
    await choose(name);
    await list.getByText('Has a dog.').waitFor();
    await asUser(`${url}/helper/conversations/${String(first?.id)}`, ann, { method: 'DELETE' });
    await list
      .getByRole('button', { name: /^From the conversation of \d/ })
      .first()
      .click();
    await list.getByText('This conversation is no longer saved.').waitFor();
  });

  // proves wire-9-76
  it('says in plain words what the server did not do', async () => {
    const url = await start();
    const { page, choose, list } = await remembering(pages, url);
    await choose(name);
    await list.getByText('Has a dog.').waitFor();
    const [first] = (await factsOf(url, ann)).filter(({ text }) => text === 'Has a dog.');
    await fetch(`${url}/helper/memory?id=${String(first?.id)}`, { method: 'DELETE', headers: bearer(ann) });
    await list.getByRole('button', { name: 'Edit “Has a dog.”' }).click();
    await page.keyboard.type('Has a cat.');
    await page.keyboard.press('Enter');
    await list.getByText('This memory no longer exists.').waitFor();
    await page.route('**/helper/memory*', (route) => route.abort());
    await list.getByRole('button', { name: 'Delete all' }).click();
    await list.getByRole('button', { name: 'Delete', exact: true }).click();
    await list.getByText('That did not work. Please try again.').waitFor();
    expect(await factsOf(url, ann)).toHaveLength(1);
  });

  // proves wire-9-77
  it('is there for a signed-in user while the memory is on, and goes with that user', async () => {
    const url = await start();
    const { page, openMenu, choose, list, chunks, composer } = await remembering(pages, url);
    const anonymous = await openAs(pages, url, undefined);
    await anonymous.say('Hello there');
    await anonymous.log.getByText('Tomorrow.').waitFor();
    const off = await openAs(pages, await start({ useMemoryContext: false }), ann);
    await off.say('Hello there');
    await off.log.getByText('Hello Ann.').waitFor();
    for (const { openMenu } of [anonymous, off]) expect(await (await openMenu()).getByText(name).count()).toBe(0);
    expect([...anonymous.chunks, ...off.chunks].filter((chunk) => chunk === 'kept')).toEqual([]);
    await choose(name);
    await list.getByText('Has a dog.').waitFor();
    expect(chunks).toContain('kept');
    await page.evaluate('HelperWidget.setTokenProvider(null)');
    await list.waitFor({ state: 'detached' });
    expect(await (await openMenu()).getByText(name).count()).toBe(0);
    await page.keyboard.press('Escape');
    await composer.fill('I can write again');
  });
});
