import { expect, it } from 'vitest';
import { recordAnnouncements } from '../support/announcements.ts';
import { axeViolations } from '../support/axe-violations.ts';
import { describeInBrowser } from '../support/browser.ts';
import { chunk, ending, sending } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';

const secret = 'The user wants the state of the order.\n\nI <b>know</b> it already.';
const reply = sending(chunk({ reasoning_content: secret }), chunk({ content: 'It has left.' }), ending());

describeInBrowser('what the model has thought (contract/widget.md#thoughts)', (pages) => {
  // proves service-3-85
  it('is folded above the reply, opens with one press or key, and is read out by nobody', async () => {
    const { url } = await scriptedServer({ scripts: [reply], entry: { showThinking: 'summary' } });
    const opened = await pages.open(url);
    const { page, panel, say } = opened;
    await opened.openPanel();
    const said = await recordAnnouncements(page);
    await say('Where is it?');
    const button = panel.getByRole('button', { name: 'Thought process' });
    const thought = panel.getByRole('region', { name: 'Thought process' });
    await button.waitFor();
    await panel.locator('.message.from-bot').waitFor();
    expect(await button.getAttribute('aria-expanded')).toBe('false');
    await expect.poll(() => thought.count()).toBe(0);
    const [above, below] = [await button.boundingBox(), await panel.locator('.message.from-bot').boundingBox()];
    expect(above?.y).toBeLessThan(below?.y ?? 0);
    expect(await axeViolations(page)).toEqual([]);
    await button.click();
    expect(await button.getAttribute('aria-expanded')).toBe('true');
    expect(await thought.textContent()).toBe(secret);
    expect(await axeViolations(page)).toEqual([]);
    await button.press('Enter');
    expect(await button.getAttribute('aria-expanded')).toBe('false');
    expect((await said()).join(' ')).not.toContain('state of the order');
  });

  // proves service-3-85
  it('is named in the language of the panel, and after a page load stands above the last reply', async () => {
    const settings = { language: 'German' };
    const { url } = await scriptedServer({ scripts: [reply, reply], entry: { showThinking: 'summary' }, settings });
    const { page, panel, openPanel, say } = await pages.open(url);
    await openPanel();
    const thoughts = panel.getByRole('button', { name: 'Gedankengang' });
    for (const count of [1, 2]) {
      await say('Wo ist sie?');
      await panel
        .locator('.from-bot .tools')
        .nth(count - 1)
        .waitFor();
      await expect.poll(() => thoughts.count()).toBe(count);
    }
    await page.reload();
    await thoughts.waitFor();
    await expect.poll(() => panel.locator('.from-bot').count()).toBe(2);
    expect(await thoughts.getAttribute('aria-expanded')).toBe('false');
  });
});
