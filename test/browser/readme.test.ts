import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { realServer } from '../support/real-server.ts';

const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
/** What the README tells a newcomer to ask, in its order. */
const steps = [...readme.matchAll(/^\d\. \*\*(.+?)\*\*/gm)].map(([, words]) => words ?? '');

describeInBrowser('the walk-through of the README', (pages) => {
  it('is exactly what happens', async () => {
    const { url } = await realServer();
    const { page, panel, openPanel, say } = await pages.open(url);
    expect(steps).toHaveLength(4);
    // The fourth prompt needs a role. The page does not show actions that need a role.
    await page.locator('.prompt').first().waitFor();
    expect(await page.locator('.prompt').allTextContents()).toEqual([
      ...steps.slice(0, 3),
      'Go to the page All orders',
    ]);
    const status = (order: number) => page.locator(`tr[data-key="${String(order)}"] .status`).textContent();
    const answered = async (count: number): Promise<void> => {
      await expect.poll(() => panel.locator('.from-bot .bubble').count()).toBe(count);
      await panel.getByRole('button', { name: 'Send' }).waitFor();
    };
    await openPanel();

    // "the answer streams, and a card lists the orders"
    await say(steps[0] ?? '');
    await panel.locator('.card table').getByText('Oak bookshelf').waitFor();
    await answered(1);

    // "a box asks first, with the order number. Press Cancel the order, and the list on the page changes"
    await say(steps[1] ?? '');
    await panel.locator('.confirmation dd .value').getByText('1002').waitFor();
    expect(await status(1002)).toBe('open');
    await panel.getByRole('button', { name: 'Cancel the order' }).click();
    await page.locator('tr[data-key="1002"]').getByText('cancelled').waitFor();
    await answered(2);

    // "the box shows the new address. Decline it: nothing changes, and the assistant says so"
    const address = page.locator('tr[data-key="1005"]');
    const before = await address.textContent();
    await say(steps[2] ?? '');
    const question = panel.locator('.confirmation').last();
    await question.getByText('2 Canal Side, Glasgow G4 9XA').waitFor();
    await question.getByRole('button', { name: 'Decline' }).click();
    await answered(3);
    expect(await panel.locator('.from-bot').last().textContent()).toMatch(/declined/i);
    expect(await address.textContent()).toBe(before);

    // "refused, because that action needs the role Supervisor and nobody is signed in"
    await say(steps[3] ?? '');
    await answered(4);
    expect(await panel.locator('.from-bot').last().textContent()).toMatch(/not allowed/i);
    await expect.poll(() => panel.locator('.confirmation').count()).toBe(2);
    expect(await status(1001)).toBe('delivered');
  });
});
