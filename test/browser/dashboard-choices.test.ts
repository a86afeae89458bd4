import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { axeViolations } from '../support/axe-violations.ts';
import { describeInBrowser } from '../support/browser.ts';
import { dashboardServer } from '../support/dashboard-server.ts';
import { saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { openSse } from '../support/sse-client.ts';

const open = { HELPER__DASHBOARDROLE: '' };

const figuresShown = (page: Page): Promise<void> => page.locator('figure svg').first().waitFor();

describeInBrowser('the figures of the dashboard (contract/operations.md#dashboard)', (pages) => {
  // proves service-13-20, service-13-22
  it('are of budgets, and of the slowest and the dearest turns by their ids', async () => {
    const settings = {
      dashboardRole: '',
      modelPricing: { scripted: { inputPer1M: 1, outputPer1M: 2 } },
      budgets: [
        { per: 'day', tokens: 1_000_000, then: 'refuse' },
        { per: 'user', cost: 0.5, then: 'refuse' },
      ],
    };
    const { url } = await scriptedServer({ scripts: [saying('Hello.')], settings });
    const chat = await openSse(`${url}/helper/chat`, { body: { message: 'Hi' } });
    const turnId = String((await chat.next('end')).data?.['turnId']);
    const { page } = await pages.open(`${url}/helper/admin`, { bypassCSP: true });
    const row = (table: string, name: string) => page.getByRole('table', { name: table }).getByRole('row', { name });
    await row('Slowest turns', turnId).waitFor();
    expect(await row('Most expensive turns', turnId).textContent()).toContain('completed');
    expect(await row('Budgets', 'all users together').textContent()).toMatch(/refuses1,000,000 Tokens17 Tokens/);
    expect(await row('Budgets', 'each user').textContent()).toMatch(/refuses0\.50–/);
    expect(await axeViolations(page)).toEqual([]);
  });

  // proves service-13-21
  it('are of days that somebody chooses, which the address keeps', async () => {
    const { url } = await dashboardServer(open, 3);
    const { page } = await pages.open(`${url}/helper/admin`, { bypassCSP: true });
    await figuresShown(page);
    await page.getByRole('button', { name: 'Custom range' }).click();
    const day = await page.getByLabel('To', { exact: true }).inputValue();
    await page.getByLabel('From', { exact: true }).fill(day);
    expect(await axeViolations(page)).toEqual([]);
    const asked = page.waitForRequest((request) => request.url().includes('/helper/admin/metrics?from='));
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    const from = new URL((await asked).url()).searchParams.get('from') ?? '';
    expect(await page.evaluate(`new Date(${JSON.stringify(from)}).getHours()`)).toBe(0);
    expect(new URL(page.url()).search).toBe(`?range=days&from=${day}&to=${day}`);
    await page.reload();
    await figuresShown(page);
    await expect.poll(() => page.getByLabel('From', { exact: true }).inputValue()).toBe(day);
    expect(await page.getByRole('button', { name: 'Custom range' }).getAttribute('aria-pressed')).toBe('true');
  });
});
