import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';

describeInBrowser('a message that comes too early (contract/widget.md#refusals)', (pages) => {
  // proves wire-21-22
  it('says when it can be sent, and is offered again only then', async () => {
    const { url } = await scriptedServer({ scripts: [saying('One.')], settings: { rateLimitPerUser: 1 } });
    const { page, panel, log, say } = await pages.open('about:blank');
    await page.clock.install();
    await page.goto(`${url}/helper/embed`);
    await panel.waitFor();
    await say('Hello');
    await log.getByText('One.').waitFor();
    await say('Again');
    await log.getByText(/Please try again in \d+ seconds/).waitFor();
    const retry = log.getByRole('button', { name: 'Try again' });
    expect(await retry.getAttribute('aria-disabled')).toBe('true');
    await retry.click({ force: true });
    await expect.poll(() => log.locator('.from-user').count()).toBe(2);
    await page.clock.fastForward(60_000);
    await expect.poll(() => retry.getAttribute('aria-disabled')).toBe('false');
    await retry.click();
    await expect.poll(() => log.locator('.from-user').count()).toBe(3);
  });
});
