import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { realServer } from '../support/real-server.ts';
import { exampleFile } from '../unit/docs/pages.ts';

const guide = 'docs/guides/teams.md';
const files = ['helper.yaml', 'plugins/shop.plugin.js', 'agents/desk.agent.yaml', 'agents/teams.agent.yaml'];

/** The server of the guide, with the demo model. */
async function shop(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'agents-guide-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), exampleFile(guide, file));
  }
  const { url } = await realServer({ HELPER__DEMOPAGE: 'true' }, join(folder, 'helper.yaml'));
  return url;
}

/** The parts of all replies: the label, where there is one, and the first line of the words. */
const partsOf = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelector('helper-widget').shadowRoot.querySelectorAll('.from-bot')].map((part) =>
    [part.querySelector('.speaker')?.textContent ?? '-', part.querySelector('.bubble').innerText.split('\\n')[0]].join(': '))`);

describeInBrowser('the agents of the guide in the widget (contract/widget.md#agents)', (pages) => {
  // proves wire-9-98
  it('work, speak and ask under their names, on the next page too', async () => {
    const { page, panel, log, openPanel, say } = await pages.open(await shop());
    await openPanel();
    await say('Ask Both to show order 1002');
    await expect.poll(() => partsOf(page)).toEqual(['Billing: Here is what I found:', 'Legal: Here is what I found:']);
    await say('Ask Billing to refund order 1001');
    const box = panel.locator('.confirmation');
    await box.waitFor();
    expect(await box.locator('.asker').textContent()).toBe('Billing wants to do this.');
    await box.getByRole('button', { name: 'Approve' }).click();
    await expect.poll(async () => (await partsOf(page)).length).toBe(3);
    await log.locator('.tools').nth(4).waitFor({ state: 'attached' });
    const [, , refunded = ''] = await partsOf(page);
    expect(refunded).toMatch(/^Billing: Done/);
    await page.reload();
    // The last turn is played again, with its names.
    await expect.poll(async () => (await partsOf(page)).at(-1)).toBe(refunded);
    await expect.poll(() => panel.locator('details.confirmation').count()).toBe(1);
  });
});
