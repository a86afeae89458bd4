import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { axeViolations } from '../support/axe-violations.ts';
import { describeInBrowser } from '../support/browser.ts';
import { initProject } from '../support/init-project.ts';
import { realServer } from '../support/real-server.ts';
import { saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';

/** The parts of the page that lie under the open panel. */
const underPanel = `(() => {
  const panel = document.querySelector('helper-widget').shadowRoot.querySelector('dialog').getBoundingClientRect();
  return [...document.querySelectorAll('h1, h2, h3, p, button, .table-box, .actions li')]
    .filter((element) => {
      const box = element.getBoundingClientRect();
      return box.width > 0 && box.left < panel.right && box.right > panel.left;
    })
    .map((element) => element.tagName + ' ' + element.textContent.slice(0, 40));
})()`;

const rooms = `(() => {
  const style = getComputedStyle(document.documentElement);
  return style.getPropertyValue('--room-left') + ' ' + style.getPropertyValue('--room-right');
})()`;

const shade = `(() => {
  const box = document.querySelector('.table-box');
  return {
    isCut: box.scrollWidth > box.clientWidth,
    attachment: getComputedStyle(box).backgroundAttachment,
  };
})()`;

const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

/** Answers of the server that are no success. */
function failedRequests(page: Page): string[] {
  const failed: string[] = [];
  page.on('response', (response) => {
    if (response.status() >= 400) failed.push(`${String(response.status())} ${response.url()}`);
  });
  page.on('requestfailed', (request) => failed.push(`failed ${request.url()}`));
  return failed;
}

describeInBrowser('the demo page (contract/addresses.md#paths)', (pages) => {
  it('leads from the first visit to a confirmed action in three clicks, its own address included', async () => {
    const { url } = await realServer();
    // The first click is the one on the address that the server prints.
    const { page, panel, messages } = await pages.open(url);
    await page.evaluate('window.clicks = 1; addEventListener("click", () => { clicks += 1; }, true)');
    await page.getByRole('button', { name: 'Cancel order 1002' }).click();
    await panel.getByRole('button', { name: 'Cancel the order' }).click();
    const row = page.locator('tr[data-key="1002"]');
    await row.getByText('cancelled').waitFor();
    expect(await page.evaluate('clicks')).toBe(3);
    expect(await row.textContent()).toContain('€189.00');
    expect(messages).toEqual([]);
  });

  it('asks once about an action that its user does not want to be asked about again, orders read or not', async () => {
    const { url } = await realServer({ HELPER__HITLMODE: 'Native', HELPER__MAXAUTOAPPROVALITERATIONS: '5' });
    const { panel, log, openPanel, say } = await pages.open(url);
    await openPanel();
    await say('Show me my open orders');
    await panel.locator('.card table').waitFor();
    await say('Change the address of order 1005 to 2 Canal Side, Glasgow G4 9XA');
    await panel.locator('.confirmation .remember input').check();
    await expect.poll(() => panel.locator('.confirmation .based-on').count()).toBe(0);
    await panel.getByRole('button', { name: 'Approve' }).click();
    await log.locator('.confirmation.is-succeeded').waitFor();
    await say('Change the address of order 1002 to 3 Canal Side, Glasgow G4 9XA');
    await expect.poll(() => log.getByText('3 Canal Side').count()).toBeGreaterThan(1);
    await expect.poll(() => panel.locator('.confirmation.is-open').count()).toBe(0);
  });

  it('a list that is cut beside the open panel has a shade at its edge', async () => {
    const { url } = await realServer();
    const { page, openPanel } = await pages.open(url, { viewport: { width: 1280, height: 800 } });
    await page.locator('tr[data-key="1002"]').waitFor();
    await openPanel();
    await expect.poll(() => page.evaluate(shade)).toEqual({ isCut: true, attachment: 'local, local, scroll, scroll' });
  });

  it('says which actions ask first, and nothing of those that need a role', async () => {
    const { url } = await realServer();
    const { page } = await pages.open(url);
    const actions = page.locator('.actions li');
    await actions.first().waitFor();
    expect(await actions.locator('h3').allTextContents()).toEqual([
      'List orders',
      'Look up an order',
      'Cancel an order',
      'Change a delivery address',
    ]);
    expect(await actions.locator('.badge').allTextContents()).toEqual([
      'answers at once',
      'answers at once',
      'asks you first',
      'asks you first',
    ]);
    expect(await page.content()).not.toMatch(/refund an|issue a refund|supervisor/i);
  });

  it('of what helper init writes is its own task list: no failed request, nothing of the sample', async () => {
    const { url } = await realServer({ HELPER__STORAGE__TYPE: 'memory' }, initProject());
    const { page, panel, log, messages } = await pages.open('about:blank');
    const failed = failedRequests(page);
    await page.goto(url);
    const rows = page.locator('#lists tbody tr');
    await page.getByRole('button', { name: 'Show my tasks' }).click();
    await log.getByText('I found 2').waitFor();
    // An answered question keeps its buttons, which do nothing any more.
    const approve = panel.locator('button:not([aria-disabled])', { hasText: 'Approve' });
    await page.getByRole('button', { name: 'Add a task: buy milk' }).click();
    await approve.click();
    await expect
      .poll(() => rows.allTextContents())
      .toEqual(['1Read the configurationyes', '2Write an actionno', '3buy milkno']);
    await page.getByRole('button', { name: 'Complete task 2' }).click();
    await approve.click();
    await page.locator('tr[data-key="2"] .status.is-good').waitFor();
    expect(await page.title()).toBe('My tasks');
    expect(await page.locator('body').textContent()).not.toMatch(/order|shop/i);
    expect([failed, messages]).toEqual([[], []]);
  });

  it('starts over: the list is as it was at the start, and so is the conversation', async () => {
    const { url } = await realServer();
    const { page, panel, log } = await pages.open(`${url}/?order=1004`);
    const row = page.locator('tr[data-key="1002"]');
    await page.locator('tr[data-key="1004"].is-shown').waitFor();
    await page.getByRole('button', { name: 'Cancel order 1002' }).click();
    await panel.getByRole('button', { name: 'Cancel the order' }).click();
    await row.getByText('cancelled').waitFor();
    await panel.getByRole('button', { name: 'Send' }).waitFor();
    await page.getByRole('button', { name: 'Start over' }).click();
    await page.getByText('Everything is as it was at the start.').waitFor();
    await row.getByText('open').waitFor();
    await expect.poll(() => log.locator('.message').count()).toBe(0);
    expect(new URL(page.url()).search).toBe('');
    await expect.poll(() => page.locator('.is-shown').count()).toBe(0);
  });

  it('asks once on a double click, and nothing else until the answer has ended', async () => {
    const { url } = await realServer();
    const { page, panel } = await pages.open(url);
    const prompt = page.getByRole('button', { name: 'Cancel order 1002' });
    await prompt.dblclick();
    await panel.getByRole('button', { name: 'Cancel the order' }).waitFor();
    await expect.poll(() => prompt.isDisabled()).toBe(true);
    // A press during an answer has no effect, also not later.
    await prompt.dispatchEvent('click');
    await panel.getByRole('button', { name: 'Cancel the order' }).click();
    await panel.getByRole('button', { name: 'Send' }).waitFor();
    await expect.poll(() => prompt.isEnabled()).toBe(true);
    await expect.poll(() => panel.locator('.from-user').count()).toBe(1);
    // A new conversation does not wait for the end of the old one.
    await prompt.click();
    await panel.locator('.confirmation').nth(1).waitFor();
    await page.getByRole('button', { name: 'Start over' }).click();
    await expect.poll(() => prompt.isEnabled()).toBe(true);
    await expect.poll(() => panel.locator('.message').count()).toBe(0);
  });

  it.each(['BottomRight', 'BottomLeft', 'TopRight', 'SideRight', 'SideLeft'])(
    'leaves room for the open panel at %s, on a desk and on a tablet',
    async (position) => {
      const { url } = await realServer({ HELPER__POSITION: position });
      const { page, openPanel } = await pages.open(url);
      await page.locator('.prompt').first().waitFor();
      await openPanel();
      for (const width of [1280, 768]) {
        await page.setViewportSize({ width, height: 860 });
        await expect.poll(() => page.evaluate(underPanel)).toEqual([]);
        expect(await page.evaluate(overflow)).toBe(0);
      }
      await page.keyboard.press('Escape');
      await expect.poll(() => page.evaluate(rooms)).toBe('0px 0px');
    },
  );

  it('axe-core finds nothing, light and dark, on a desk and at 320 px, where nothing is wider than the screen', async () => {
    const { url } = await realServer();
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [1280, 320]) {
        const { page } = await pages.open(url, { bypassCSP: true, colorScheme, viewport: { width, height: 800 } });
        await page.locator('.actions li').first().waitFor();
        expect(await axeViolations(page)).toEqual([]);
        expect(await page.evaluate(overflow)).toBe(0);
      }
    }
  });

  it('speaks the language of the configuration', async () => {
    const { url } = await realServer({ HELPER__LANGUAGE: 'German' });
    const { page, log } = await pages.open(`${url}/?order=1002`);
    await page.getByRole('button', { name: 'Öffne die Seite All orders' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('');
    await log.getByText('All orders').last().waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('de');
    await page.getByText('fragt vorher').first().waitFor();
  });

  it('shows a project whose plugins say nothing of it by the titles of its actions', async () => {
    const plugin = `export default { name: 'desk', actions: [{
      name: 'get_hours', title: '<b>Opening hours</b>', description: 'Says when <i>we</i> are open.', readOnly: true,
      parameters: { type: 'object', additionalProperties: true }, execute: () => 'always' }] };`;
    const { url } = await scriptedServer({ scripts: [saying('Always.')], plugin });
    const { page, log, messages } = await pages.open(url);
    await page.getByRole('button', { name: '<b>Opening hours</b>' }).click();
    await log.getByText('Always.').waitFor();
    await page.getByText('Says when <i>we</i> are open.').waitFor();
    await expect.poll(() => page.locator('table').count()).toBe(0);
    expect(messages).toEqual([]);
  });

  it('says that the server is away, and is there again when it is', async () => {
    const { url } = await realServer();
    const { page } = await pages.open(url);
    await page.locator('.prompt').first().waitFor();
    await page.route('**/helper/demo', (route) => route.abort());
    await page.evaluate('dispatchEvent(new Event("focus"))');
    await page.getByText('The server cannot be reached.').waitFor();
    await page.unroute('**/helper/demo');
    await page.evaluate('dispatchEvent(new Event("focus"))');
    await page.getByText('The server cannot be reached.').waitFor({ state: 'hidden' });
  });

  it('without any action says what to set', async () => {
    const { url } = await realServer({ HELPER__ACTIONS: 'none' });
    const { page, panel, openPanel, say } = await pages.open(url);
    await page.getByText('Nothing is set up yet.').waitFor();
    await openPanel();
    await say('Hello');
    await panel.locator('.from-bot .bubble').waitFor();
  });
});
