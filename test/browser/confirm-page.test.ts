import type { BrowserContext, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { languages, languageTags } from '../../src/wire/client-settings.ts';
import { axeViolations } from '../support/axe-violations.ts';
import { describeInBrowser } from '../support/browser.ts';
import {
  confirmingClient,
  confirmingSettings,
  linkIn,
  ownAddress,
  sessionCookie,
  tokensOf,
} from '../support/mcp/confirming-server.ts';
import { casesOf, isShortLanguage } from '../support/run/tier.ts';
import { scriptedServer } from '../support/scripted-server.ts';

/** An action with all that a page can show. */
const plugin = `
const text = (title, more = {}) => ({ type: 'string', title, ...more });
export default {
  name: 'shop',
  actions: [{
    name: 'erase_account',
    title: 'Erase the account',
    description: 'Erases an account and tells its owner by mail.',
    destructive: true,
    parameters: {
      type: 'object',
      properties: {
        account: { type: 'integer', title: 'Account' },
        to: text('Owner’s address', { sink: true }),
        reason: text('Reason'),
        orders: { type: 'array', title: 'Open orders', items: { type: 'object' } },
      },
    },
    execute: () => ({ erased: true }),
  }],
};
`;

const asked = {
  name: 'erase_account',
  arguments: {
    account: 41,
    to: 'owner@shop.example',
    reason: `Asked \u202Efor\u202C by the owner, ${'x'.repeat(300)}`,
    orders: [{ id: 1, total: 9.5 }],
  },
};

async function question() {
  const { url } = await scriptedServer({
    scripts: [],
    plugin,
    settings: confirmingSettings,
    overrides: await ownAddress(),
  });
  const { program, browser } = await tokensOf('ann');
  const { client } = await confirmingClient(`${url}/mcp`, { token: program });
  const call = () => client.callTool(asked);
  return { url, browser, call, link: linkIn(await call()) };
}

function signIn(context: BrowserContext, url: string, value: string): Promise<void> {
  return context.addCookies([{ name: sessionCookie, value, url, sameSite: 'Strict', httpOnly: true }]);
}

const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
const shown = (page: Page) => page.getByRole('heading', { level: 1 }).textContent();

describeInBrowser('the page of a question (contract/mcp-server.md#the-page)', (pages) => {
  // proves wire-6-91, wire-21-04, wire-21-05
  it('signed out, tells the user to sign in, and shows the question once that is done', async () => {
    const { url, browser, link, call } = await question();
    const { page } = await pages.open(link);
    await page.getByText('Please sign in to the application in this browser.').waitFor();
    await signIn(page.context(), url, browser);
    await page.getByRole('link', { name: 'Open again' }).click();
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    expect(await shown(page)).toBe('Erase the account');
    expect(await page.locator('dd').allTextContents()).toEqual([
      '41',
      'owner@shop.examplenot from you',
      expect.stringContaining('Asked \\u{202E}for\\u{202C} by'),
      expect.stringContaining('"total": 9.5'),
    ]);
    await page.getByText('This cannot be undone.').waitFor();
    expect(await page.getByText('A program that calls itself').locator('q').textContent()).toBe('test');
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('The program runs it when it asks again.').waitFor();
    await page.getByText('You can close this page.').waitFor();
    expect(await call()).toMatchObject({ structuredContent: { erased: true } });
    await page.reload();
    await page.getByText('Done: Erase the account').waitFor();
  });

  // proves wire-6-95
  it('is answered by keyboard alone, and declining runs nothing', async () => {
    const { url, browser, link, call } = await question();
    const { page } = await pages.open('about:blank');
    await signIn(page.context(), url, browser);
    await page.goto(link);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('You declined this. Nothing was changed.').waitFor();
    expect(JSON.stringify(await call())).toContain('The user declined this action');
  });

  // proves wire-6-95
  it.each(casesOf('languages of the confirmation page', languages, isShortLanguage))(
    'has no fault for assistive technology and fits a narrow window: %s',
    async (language) => {
      const { url, browser, link } = await question();
      const options = { locale: languageTags[language], viewport: { width: 320, height: 640 }, bypassCSP: true };
      const { page } = await pages.open('about:blank', options);
      await signIn(page.context(), url, browser);
      await page.goto(link);
      expect(await page.evaluate('document.documentElement.lang')).toBe(languageTags[language]);
      expect(await page.evaluate(overflow)).toBe(0);
      expect(await axeViolations(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await axeViolations(page)).toEqual([]);
    },
  );
});
