import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { realServer } from '../support/real-server.ts';

describeInBrowser('the walk-through of the demo page, with the demo model', (pages) => {
  it('answers, asks before it acts, acts, and the page shows it (contract/events.md, contract/confirmations.md#answering and contract/cards.md)', async () => {
    const { url } = await realServer();
    const { page, messages, panel, openPanel, say } = await pages.open(url);
    const row = page.locator('tr[data-key="1002"]');
    await row.getByText('open').waitFor();
    await openPanel();
    await panel.locator('.badge').getByText('Demo').waitFor();

    await say('Show me my open orders');
    const card = panel.locator('.card table');
    await card.getByText('Oak bookshelf').waitFor();
    await expect.poll(() => card.locator('tbody tr').count()).toBe(3);
    await panel.locator('.action-line.is-succeeded').getByText('List orders').waitFor();
    // The rows are on the card, so the reply beside it does not say them again.
    await panel.locator('.from-bot').getByText('I found 3. The card shows the details.').waitFor();

    await say('Cancel order 1002');
    const question = panel.locator('.confirmation');
    await question.getByText('Cancel order 1002?').waitFor();
    expect(await question.locator('dt').allTextContents()).toEqual(['Order number']);
    expect(await question.locator('dd .value').allTextContents()).toEqual(['1002']);
    expect(await row.locator('.status').textContent()).toBe('open');
    await question.getByRole('button', { name: 'Cancel the order' }).click();
    await question.getByText('Done: ').waitFor();
    await row.getByText('cancelled').waitFor();
    await panel.locator('.confirmation.is-succeeded').getByText('Done: Cancel an order').waitFor();
    expect(messages).toEqual([]);
  });

  it('declined, nothing happens and the box keeps the answer (contract/confirmations.md#answering)', async () => {
    const { url } = await realServer();
    const { page, panel, log, openPanel, say } = await pages.open(url);
    await openPanel();
    await say('Cancel order 1002');
    await panel.getByRole('button', { name: 'Keep it' }).click();
    await log.getByText('You declined this. Nothing was changed.').waitFor();
    await panel.locator('.from-bot').last().waitFor();
    expect(await page.locator('tr[data-key="1002"] .status').textContent()).toBe('open');
    await expect.poll(() => panel.getByRole('button', { name: 'Cancel the order' }).count()).toBe(0);
  });

  it('Stop withdraws the question, and the next message works (contract/confirmations.md#stop)', async () => {
    const { url } = await realServer();
    const { panel, log, openPanel, say } = await pages.open(url);
    await openPanel();
    await say('Cancel order 1002');
    await panel.locator('.confirmation').waitFor();
    await panel.getByRole('button', { name: 'Stop' }).click();
    await log.getByText('The question was withdrawn.').waitFor();
    await say('Show me my open orders');
    await panel.locator('.card table').waitFor();
  });

  it('a page to go to opens inside the application, and the conversation goes on (contract/events.md)', async () => {
    const { url } = await realServer();
    const { page, log, openPanel, say } = await pages.open(url);
    await openPanel();
    await say('Go to order 1004');
    await page.locator('tr[data-key="1004"].is-shown').waitFor();
    expect(new URL(page.url()).search).toBe('?order=1004');
    await log.getByText('Go to order 1004').waitFor();
  });

  it('a new conversation empties the panel', async () => {
    const { url } = await realServer();
    const { panel, log, openPanel, say } = await pages.open(url);
    await openPanel();
    await say('Hello');
    await panel.locator('.from-bot .bubble').waitFor();
    await panel.getByRole('button', { name: 'New conversation' }).click();
    await log.getByText('How can I help?').waitFor();
    await expect.poll(() => panel.locator('.message:visible').count()).toBe(0);
    await say('Show me my open orders');
    await panel.locator('.card table').waitFor();
  });
});
