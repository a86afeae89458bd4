import { expect, it } from 'vitest';
import { axeViolations } from '../support/axe-violations.ts';
import { describeInBrowser } from '../support/browser.ts';
import { realServer } from '../support/real-server.ts';

const widthOf = `document.querySelector('helper-widget').shadowRoot.querySelector('dialog').offsetWidth`;

describeInBrowser('the room of the panel (contract/widget.md#room)', (pages) => {
  // proves wire-22-50
  it('is larger on demand, and as wide as its edge is drawn, also on the next page', async () => {
    const { url } = await realServer();
    const { page, panel, openPanel, choose } = await pages.open(url, { viewport: { width: 1280, height: 800 } });
    await openPanel();
    const edge = panel.getByRole('separator', { name: 'Width of the chat' });
    await edge.waitFor();
    expect(await page.evaluate(widthOf)).toBe(400);
    const box = await edge.boundingBox();
    if (box === null) throw new Error('the edge is not there');
    await page.mouse.move(box.x + 4, box.y + 200);
    await page.mouse.down();
    await page.mouse.move(box.x - 96, box.y + 200, { steps: 4 });
    await page.mouse.up();
    expect(await page.evaluate(widthOf)).toBe(500);
    await edge.press('ArrowLeft');
    expect(await page.evaluate(widthOf)).toBe(520);
    await page.reload();
    await edge.waitFor();
    expect(await page.evaluate(widthOf)).toBe(520);
    await choose('Larger window');
    expect(await page.evaluate(widthOf)).toBe(760);
    await choose('Larger window');
    expect(await page.evaluate(widthOf)).toBe(520);
  });

  // proves wire-22-51
  it('has a list of its keys, by a question mark and in the menu', async () => {
    const { url } = await realServer();
    const { page, panel, log, composer, openPanel, choose } = await pages.open(url, { bypassCSP: true });
    await openPanel();
    await panel.getByRole('separator').waitFor();
    await composer.fill('why');
    await composer.press('?');
    const list = panel.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await expect.poll(() => composer.inputValue()).toBe('why?');
    await expect.poll(() => list.count()).toBe(0);
    await log.focus();
    await page.keyboard.press('?');
    await list.getByText('New line').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    await expect.poll(() => panel.isVisible()).toBe(true);
    await choose('Keyboard shortcuts');
    await list.waitFor();
  });

  // proves wire-22-50
  it('is not given on a phone, nor on the embed page', async () => {
    const { url } = await realServer();
    const phone = await pages.open(url, { viewport: { width: 390, height: 844 } });
    await phone.openPanel();
    await phone.panel.getByRole('separator').waitFor({ state: 'hidden' });
    expect(await phone.page.evaluate(widthOf)).toBe(390);
    const menu = await phone.openMenu();
    await menu.getByRole('button', { name: 'Keyboard shortcuts' }).waitFor();
    expect(await menu.getByRole('button', { name: 'Larger window' }).count()).toBe(0);
    const { page } = await pages.open(`${url}/helper/embed`);
    await page.locator('.composer').first().waitFor();
    await expect.poll(() => page.getByRole('separator').count()).toBe(0);
  });
});
