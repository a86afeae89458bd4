import { expect, it, vi } from 'vitest';
import { axeViolations } from '../support/axe-violations.ts';
import { describeInBrowser } from '../support/browser.ts';
import { patienceMs } from '../support/patience.ts';
import { calling, type ModelScript, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { tellInstead } from '../support/told-events.ts';

const plugin = `export default { name: 'desk', actions: [
  { name: 'cancel_order', title: 'Cancel an order', description: 'Cancels it.', parameters: { type: 'object', properties: {} },
    execute: () => 'cancelled' }] }`;

const start = (scripts: readonly ModelScript[], settings: object = {}) => scriptedServer({ scripts, plugin, settings });

async function counted(url: string): Promise<string> {
  const page = await (await fetch(`${url}/metrics`)).text();
  return [...page.matchAll(/^helperagent_feedback_total\{rating="(\w+)"\} (\d+)$/gm)]
    .map(([, rating, count]) => `${String(rating)} ${String(count)}`)
    .join(', ');
}

describeInBrowser('what stands under an answer (contract/widget.md#under-an-answer)', (pages) => {
  // proves wire-22-30, wire-22-31
  it('rates it, with a word, and takes the rating back; the rating is there again on the next page', async () => {
    const { url } = await start([saying('The answer.')]);
    const { page, panel, openPanel, say, log } = await pages.open(url, { bypassCSP: true });
    await openPanel();
    await say('A question');
    const good = panel.getByRole('button', { name: 'Good answer' });
    const bad = panel.getByRole('button', { name: 'Bad answer' });
    await bad.click();
    await panel.getByRole('textbox', { name: 'Comment (optional)' }).fill('Too short.');
    await page.keyboard.press('Enter');
    await log.getByText('Too short.').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await vi.waitFor(async () => expect(await counted(url)).toBe('good 0, bad 2, withdrawn 0'), patienceMs);
    await page.reload();
    await log.getByText('Too short.').waitFor();
    expect(await bad.getAttribute('aria-pressed')).toBe('true');
    await bad.click();
    await log.getByText('Too short.').waitFor({ state: 'detached' });
    await good.click();
    await vi.waitFor(async () => expect(await counted(url)).toBe('good 1, bad 2, withdrawn 1'), patienceMs);
  });

  // proves wire-22-30
  it('has no rating where the server takes none', async () => {
    const { url } = await start([saying('The answer.')], { enableFeedback: false });
    const { panel, openPanel, say } = await pages.open(url);
    await openPanel();
    await say('A question');
    await panel.getByRole('button', { name: 'Copy', exact: true }).waitFor();
    await expect.poll(() => panel.getByRole('button', { name: 'Good answer' }).count()).toBe(0);
  });

  // proves wire-22-32
  it('tries again, and lets the last message be worded differently', async () => {
    const { url, model } = await start([saying('First.'), saying('Second.'), saying('Third.')]);
    const { page, panel, openPanel, say, log } = await pages.open(url, { bypassCSP: true });
    await openPanel();
    await say('A question');
    await log.getByText('First.').waitFor();
    await panel.getByRole('button', { name: 'Try again' }).click();
    await log.getByText('Second.').waitFor();
    await expect.poll(() => log.getByText('First.').count()).toBe(0);
    await expect.poll(() => log.getByText('A question').count()).toBe(1);
    await log.getByText('A question').hover();
    await panel.getByRole('button', { name: 'Edit message' }).click();
    const field = panel.getByRole('textbox', { name: 'Edit message' });
    await expect.poll(() => field.inputValue()).toBe('A question');
    expect(await axeViolations(page)).toEqual([]);
    await field.fill('Another question');
    await page.keyboard.press('Enter');
    await log.getByText('Third.').waitFor();
    await expect.poll(() => log.getByText('A question').count()).toBe(0);
    const sent = model.requests.at(-1)?.body['messages'] as readonly { role: string; content: string }[]; // OpenAI's protocol
    expect(sent.filter(({ role }) => role !== 'system').map(({ content }) => content)).toEqual(['Another question']);
  });

  it('closes its fields by Escape and leaves the panel open, also where the panel fills a small screen', async () => {
    const { url } = await start([saying('First.')]);
    const { panel, openPanel, say, log } = await pages.open(url, { viewport: { width: 360, height: 740 } });
    await openPanel();
    await say('A question');
    await panel.getByRole('button', { name: 'Good answer' }).click();
    const word = panel.getByRole('textbox', { name: 'Comment (optional)' });
    await word.press('Escape');
    await expect.poll(() => word.count()).toBe(0);
    await log.getByText('A question').hover();
    await panel.getByRole('button', { name: 'Edit message' }).click();
    const field = panel.getByRole('textbox', { name: 'Edit message' });
    await field.press('Escape');
    await expect.poll(() => field.count()).toBe(0);
    expect(await panel.isVisible()).toBe(true);
  });

  // proves wire-22-32
  it('offers neither once an action has run', async () => {
    const { url } = await start([calling({ name: 'cancel_order', arguments: {} }), saying('Cancelled.')]);
    const { panel, openPanel, say, log } = await pages.open(url);
    await openPanel();
    await say('Cancel it');
    await panel.getByRole('button', { name: 'Approve' }).click();
    await log.getByText('Cancelled.').waitFor();
    await panel.getByRole('button', { name: 'Good answer' }).waitFor();
    await expect.poll(() => panel.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await expect.poll(() => panel.getByRole('button', { name: 'Edit message' }).count()).toBe(0);
  });

  // proves wire-22-33
  it('keeps the exchange on the screen where the server does not let it go, and says why', async () => {
    const { url, model } = await start([saying('First.')]);
    const { page, panel, openPanel, say, log } = await pages.open(url, { bypassCSP: true });
    // What the page takes for the id of the turn is no turn of the server.
    await tellInstead(page, (event) => {
      const { turnId } = event.fields;
      return [typeof turnId === 'string' ? { ...event, fields: { ...event.fields, turnId: `${turnId}x` } } : event];
    });
    await openPanel();
    await say('A question');
    await log.getByText('First.').waitFor();
    await panel.getByRole('button', { name: 'Try again' }).click();
    await log.getByText('This message cannot be replaced any more').waitFor();
    expect(await log.getByText('First.').count()).toBe(1);
    expect(model.requests).toHaveLength(1);
  });
});
