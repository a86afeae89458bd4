import { expect, it } from 'vitest';
import { axeViolations } from '../support/axe-violations.ts';
import { describeInBrowser } from '../support/browser.ts';
import { realServer } from '../support/real-server.ts';

const focusedLabel = `document.querySelector('helper-widget').shadowRoot.activeElement.getAttribute('aria-label')`;

describeInBrowser('suggestions in the empty panel (contract/widget.md, enableSuggestions)', (pages) => {
  // proves service-2.4-05
  it('send themselves, make way for the conversation and leave the keyboard in the composer', async () => {
    const { url } = await realServer();
    const { page, panel, log, openPanel } = await pages.open(url, { bypassCSP: true });
    await openPanel();
    const suggestions = panel.getByRole('list', { name: 'Suggestions' });
    expect(await suggestions.getByRole('button').allTextContents()).toEqual([
      'List orders',
      'Go to the page All orders',
    ]);
    expect(await axeViolations(page)).toEqual([]);
    await suggestions.getByRole('button', { name: 'List orders' }).press('Enter');
    await panel.locator('.card table').waitFor();
    await expect.poll(() => suggestions.count()).toBe(0);
    expect(await page.evaluate(focusedLabel)).toBe('Your message');
    await panel.getByRole('button', { name: 'Send' }).waitFor();
    await panel.getByRole('button', { name: 'New conversation' }).click();
    await suggestions.getByRole('button', { name: 'Go to the page All orders' }).click();
    await log.getByText('Go to the page All orders').waitFor();
  });

  it('speak the language of the widget', async () => {
    const { url } = await realServer({ HELPER__LANGUAGE: 'Polish' });
    const { panel, openPanel } = await pages.open(url);
    await openPanel();
    await panel.getByRole('button', { name: 'Otwórz stronę All orders' }).waitFor();
  });

  it('are not there unless they are wanted', async () => {
    const { url } = await realServer({ HELPER__CLIENT__ENABLESUGGESTIONS: 'false' });
    const { panel, log, openPanel } = await pages.open(url);
    await openPanel();
    await log.getByText('How can I help?').waitFor();
    await expect.poll(() => panel.getByRole('list', { name: 'Suggestions' }).count()).toBe(0);
  });
});
