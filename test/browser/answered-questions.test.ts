import { expect, it, onTestFinished } from 'vitest';
import { axeViolations } from '../support/axe-violations.ts';
import { describeInBrowser, type Pages, type WidgetPage } from '../support/browser.ts';
import { hasFocus, inPanel, styleOf } from '../support/in-panel.ts';
import { calling, type ModelScript, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';

const plugin = `export default {
  name: 'desk',
  actions: [
    {
      name: 'issue_refund', title: 'Issue a refund', description: 'Pays money back to the customer.',
      parameters: { type: 'object', properties: {
        orderNumber: { type: 'integer', title: 'Order number' }, amount: { type: 'string', title: 'Amount' },
      } },
      execute: async (order, { progress }) => {
        if (globalThis.askBank) progress('Asking the bank');
        await globalThis.askBank?.();
        return 'Refunded.';
      },
    },
    {
      name: 'erase_order', title: 'Erase an order', description: 'Erases it.', parameters: { type: 'object', properties: {
        orderNumber: { type: 'integer', title: 'Order number' },
      } },
      destructive: true, execute: () => 'Erased.',
    },
    {
      name: 'close_books', title: 'Close the books', description: 'Closes the books.', parameters: { type: 'object', additionalProperties: true },
      requiredRoles: ['Accountant'], execute: () => 'Closed.',
    },
    {
      name: 'print_label', title: 'Print a label', description: 'Prints.', parameters: { type: 'object', additionalProperties: true }, readOnly: true,
      execute: () => { throw new Error('The printer is out of paper.'); },
    },
  ],
}`;

const refund = calling({ name: 'issue_refund', arguments: { orderNumber: 1003, amount: '€30.00' } });

async function opened(
  pages: Pages,
  options: { scripts: readonly ModelScript[]; settings?: object; page?: Parameters<Pages['open']>[1] },
): Promise<WidgetPage> {
  const { url } = await scriptedServer({ plugin, ...options });
  const widgetPage = await pages.open(url, options.page);
  await widgetPage.openPanel();
  return widgetPage;
}

/** What the plugin's action waits for. */
function bankAnswers(askBank: () => Promise<string>): void {
  Object.assign(globalThis, { askBank });
  onTestFinished(() => void Reflect.deleteProperty(globalThis, 'askBank'));
}

describeInBrowser('a question and what becomes of it (contract/confirmations.md#answering)', (pages) => {
  it('shows the values that are decided upon larger than anything else in it', async () => {
    const { page, panel, say } = await opened(pages, { scripts: [refund] });
    await say('Refund it');
    await panel.locator('.confirmation').waitFor();
    for (const value of ['div:first-child > dd > .value', 'div:last-child > dd > .value']) {
      expect(await styleOf(page, `.arguments > ${value}`, 'fontSize')).toBe('18px');
    }
    for (const other of ['.confirm-title', '.eyebrow', 'dt', '.button', '> .value']) {
      expect(Number.parseFloat(await styleOf(page, `.confirmation ${other}`, 'fontSize'))).toBeLessThan(18);
    }
  });

  it('is one line with its outcome once it is answered, which opens on demand', async () => {
    const { page, panel, log, say } = await opened(pages, { scripts: [refund, saying('Done.')] });
    await say('Refund it');
    await panel.getByRole('button', { name: 'Approve' }).focus();
    await page.keyboard.press('Enter');
    const box = panel.locator('details.confirmation');
    await box.getByText('Done: ').waitFor();
    expect((await box.boundingBox())?.height).toBeLessThan(50);
    await expect.poll(() => box.locator('dd').first().isVisible()).toBe(false);
    await log.getByText('Done.').waitFor();
    // The focus went from the button to the line, so the keyboard goes on there.
    await page.keyboard.press('Enter');
    await box.locator('dd').getByText('€30.00').waitFor();
    await page.keyboard.press('Enter');
    await box.locator('dd').first().waitFor({ state: 'hidden' });
  });

  it('runs in its own line, which says how it ended: no second line beside it', async () => {
    const bank = Promise.withResolvers<string>();
    bankAnswers(() => bank.promise);
    const { page, panel, log, say } = await opened(pages, { scripts: [refund, saying('The money is on its way.')] });
    await say('Refund it');
    await panel.getByRole('button', { name: 'Approve' }).click();
    const line = panel.locator('details.confirmation > summary');
    await line.getByText('Running: Issue a refund').waitFor();
    await line.getByText('Asking the bank').waitFor();
    await line.locator('.spinner').waitFor();
    // The page is left meanwhile, and the next one finds the question as it is.
    await page.reload();
    await line.getByText('Running: Issue a refund').waitFor();
    bank.resolve('paid');
    await line.getByText('Done: Issue a refund').waitFor();
    await log.getByText('The money is on its way.').waitFor();
    await expect.poll(() => panel.locator('.action-line').count()).toBe(0);
    await expect.poll(() => line.getByText('Asking the bank').count()).toBe(0);
    await line.click();
    await panel.locator('details.confirmation > .outcome').getByText('Asking the bank').waitFor();
  });

  it('approved in vain, has the reason in its one line', async () => {
    bankAnswers(() => Promise.reject(new Error('The bank is closed.')));
    const { panel, log, say } = await opened(pages, { scripts: [refund, saying('Sorry.')] });
    await say('Refund it');
    await panel.getByRole('button', { name: 'Approve' }).click();
    await log.getByText('Sorry.').waitFor();
    const line = panel.locator('details.confirmation.is-failed > summary');
    await line.getByText('Failed: Issue a refund').waitFor();
    await line.getByText('The bank is closed.').waitFor();
    await expect.poll(() => panel.locator('.action-line, .notice').count()).toBe(0);
  });

  it('a double click on Approve does not answer the question that comes next', async () => {
    const { page, panel, say } = await opened(pages, { scripts: [refund, refund] });
    await say('Refund it');
    const approve = panel.getByRole('button', { name: 'Approve' });
    await approve.waitFor();
    await inPanel(page, `find('.primary').dispatchEvent(new MouseEvent('click', { detail: 2, bubbles: true }))`);
    await expect.poll(() => panel.locator('.confirmation.is-open').getByText('Sending your answer').count()).toBe(0);
    await approve.click();
    await panel.locator('.confirmation.is-succeeded').waitFor();
    await panel.locator('.confirmation.is-open').waitFor();
  });

  it('its first button stands out in forced colours', async () => {
    const { page, panel, say } = await opened(pages, { scripts: [refund], page: { forcedColors: 'active' } });
    await say('Refund it');
    await panel.getByRole('button', { name: 'Approve' }).waitFor();
    const colour = (button: string): Promise<string> => styleOf(page, `.actions ${button}`, 'backgroundColor');
    expect(await colour('.primary')).not.toBe(await colour(':not(.primary)'));
  });

  it.each([
    ['in its looks', {}],
    ['in forced colours', { forcedColors: 'active' as const }],
  ])('stands out %s where what it asks for cannot be undone, and says so', async (_title, options) => {
    const scripts = [calling({ name: 'erase_order', arguments: { orderNumber: 1003 } })];
    const { page, panel, say } = await opened(pages, { scripts, page: { bypassCSP: true, ...options } });
    await say('Erase it');
    const box = panel.getByRole('region', { name: 'Erase an order' });
    await box.locator('.irreversible').getByText('This cannot be undone.').waitFor();
    const id = await box.locator('.irreversible').getAttribute('id');
    expect((await box.getAttribute('aria-describedby'))?.split(' ')).toContain(id);
    await panel.locator('[aria-live]').getByText('Order number: 1003. This cannot be undone.').waitFor();
    const colour = (part: string): Promise<string> => styleOf(page, part, 'backgroundColor');
    expect(await colour('.irreversible')).not.toBe(await colour('.confirmation'));
    expect(await colour('.actions > :first-child')).not.toBe(await colour('.composer .round-button'));
    expect(await colour('.actions > :first-child')).not.toBe(await colour('.actions > :last-child'));
    // The warning must not be the largest text of the question.
    expect(Number.parseFloat(await styleOf(page, '.irreversible', 'fontSize'))).toBeLessThan(18);
    expect(await axeViolations(page)).toEqual([]);
  });

  it('a refusal names the action and the role that its user lacks, in the language (contract/identity.md#roles)', async () => {
    const scripts = [calling({ name: 'close_books', arguments: {} }), saying('I may not.')];
    const { panel, say } = await opened(pages, { scripts, settings: { language: 'German' } });
    await say('Close the books');
    const line = panel.locator('.action-line.is-refused');
    await line.getByText('Nicht erlaubt: Close the books').waitFor();
    await line.getByText('Dafür ist die Rolle Accountant nötig, die Sie nicht haben.').waitFor();
  });

  it.each([
    ['where the reply says it, the line does not', 'That did not work: The printer is out of paper.', 0],
    ['where the reply is silent, the line says it', 'Sorry.', 1],
  ])('a failure is one message: %s', async (_title, reply, times) => {
    const scripts = [calling({ name: 'print_label', arguments: {} }), saying(reply)];
    const { panel, log, say } = await opened(pages, { scripts });
    await say('Print it');
    await log.getByText(reply).waitFor();
    await panel.getByRole('button', { name: 'Send' }).waitFor();
    const line = panel.locator('.action-line.is-failed');
    await expect.poll(() => line.getByText('Failed: Print a label').count()).toBe(1);
    await expect.poll(() => line.getByText('The printer is out of paper.').count()).toBe(times);
    await expect.poll(() => panel.locator('.notice').count()).toBe(0);
  });
});

describeInBrowser('a new conversation', (pages) => {
  it('can be taken back, with the question that waits in it and what was written into its fields', async () => {
    const { page, panel, log, say } = await opened(pages, {
      scripts: [saying('Hello there.'), refund, saying('Done.')],
    });
    await say('Hello');
    await log.getByText('Hello there.').waitFor();
    await say('Refund it');
    await panel.getByRole('button', { name: 'Approve' }).waitFor();
    await panel.getByRole('button', { name: 'New conversation' }).click();
    await panel.getByText('Conversation cleared.').first().waitFor();
    await expect.poll(() => panel.locator('.message:visible, .confirmation:visible').count()).toBe(0);
    // The button in the message field sends again, although a turn still runs out of sight.
    await panel.getByRole('button', { name: 'Send' }).waitFor();
    await page.keyboard.press('F6');
    await page.keyboard.press('Enter');
    await log.getByText('Hello there.').waitFor();
    expect(await hasFocus(page, 'textarea')).toBe(true);
    await panel.getByRole('button', { name: 'Approve' }).click();
    await log.getByText('Done.').waitFor();
  });

  it('is begun at once by the next message', async () => {
    const { panel, log, say } = await opened(pages, { scripts: [refund, saying('Fresh.')] });
    await say('Refund it');
    await panel.getByRole('button', { name: 'Approve' }).waitFor();
    await panel.getByRole('button', { name: 'New conversation' }).click();
    await say('Something else');
    await log.getByText('Fresh.').waitFor();
    await expect.poll(() => panel.locator('.message').count()).toBe(2);
    await expect.poll(() => panel.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  });
});
