import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { axeViolations } from '../support/axe-violations.ts';
import { describeInBrowser } from '../support/browser.ts';
import { bearer, statusOf } from '../support/logged-server.ts';
import { realServer } from '../support/real-server.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

const cookie = 'shop_token';
const guarded = { HELPER__AUTH__JWT__SECRET: tokenSecret, HELPER__AUTH__JWT__COOKIE: cookie };
const admin = await makeToken({ sub: 'ann', role: 'Admin' });
const clerk = await makeToken({ sub: 'bob', role: 'Clerk' });
const refreshMs = 15_000;

/** The page reads its figures again. */
async function refreshed(page: Page): Promise<void> {
  const answered = page.waitForResponse((response) => response.url().includes('/metrics?'));
  await page.clock.fastForward(refreshMs);
  await answered;
}

describeInBrowser('the security log on the dashboard (contract/operations.md#security-log)', (pages) => {
  // proves service-15-03
  it('follows the server until it is paused, at the width of a phone, and is a table for all', async () => {
    const { url } = await realServer(guarded);
    const look = { bypassCSP: true, viewport: { width: 390, height: 800 } };
    const { page, messages } = await pages.open('about:blank', look);
    await page.context().addCookies([{ name: cookie, value: admin, url, httpOnly: true }]);
    await page.clock.install();
    await page.goto(`${url}/helper/admin`);
    const section = page.getByRole('region', { name: 'Security log' });
    await section.getByText('No security events since this server started.').waitFor();
    const refuse = (token: string): Promise<number> =>
      statusOf(`${url}/helper/admin/metrics`, { headers: bearer(token) });
    expect(await refuse('eyJ.not.one')).toBe(401);
    await refreshed(page);
    const rows = section.locator('tbody tr');
    await rows.first().waitFor();
    const cellsOf = (row: number): Promise<string[]> => rows.nth(row).getByRole('cell').allTextContents();
    const refused = [
      'authentication_failed · GET /helper/admin/metrics',
      expect.stringMatching(/^address:/),
      'malformed',
    ];
    expect(await cellsOf(0)).toEqual(refused);
    expect(await section.getByRole('columnheader').allTextContents()).toEqual(['Time', 'Event', 'Who', 'Reason']);

    await section.getByRole('button', { name: 'Pause' }).click();
    await section.getByRole('status').getByText('Paused.').waitFor();
    expect(await refuse(clerk)).toBe(403);
    await refreshed(page);
    await refreshed(page);
    expect(await rows.count()).toBe(1);
    await section.getByRole('button', { name: 'Resume' }).click();
    await expect.poll(() => rows.count()).toBe(2);
    expect(await cellsOf(0)).toEqual(['entry_refused · GET /helper/admin/metrics', 'id:bob', 'role']);
    expect(await cellsOf(1)).toEqual(refused);

    const box = section.getByRole('group', { name: 'Security log' });
    await section.getByRole('button', { name: 'Pause' }).focus();
    await page.keyboard.press('Tab');
    await page.locator(':focus').and(box).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
    expect(messages).toEqual([]);
  });

  // proves service-15-02
  it('is not on the page where anybody sees the figures', async () => {
    const { url } = await realServer({ HELPER__DASHBOARDROLE: '' });
    const { page } = await pages.open(`${url}/helper/admin`);
    await page.getByRole('region', { name: 'This server' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Security log' }).count()).toBe(0);
  });
});
