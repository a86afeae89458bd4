import { expect, it } from 'vitest';
import { languages } from '../../src/wire/client-settings.ts';
import { axeViolations as violations } from '../support/axe-violations.ts';
import { describeInBrowser } from '../support/browser.ts';
import { cuttingProxy } from '../support/cutting-proxy.ts';
import { realServer } from '../support/real-server.ts';
import { calling, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';

/** Records what the live regions say, in order. */
const recordAnnouncements = `
  window.announced = [];
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      const live = target.getAttribute('aria-live');
      if (live === null) continue;
      for (const node of addedNodes) announced.push((live === 'assertive' ? '! ' : '') + node.textContent);
    }
  }).observe(document.querySelector('helper-widget').shadowRoot.querySelector('dialog'), { childList: true, subtree: true });
`;

/** The accessible name or the tag of the element that has the focus. */
const focused = `
  (() => {
    const element = document.querySelector('helper-widget').shadowRoot.activeElement ?? document.activeElement;
    return element.getAttribute('aria-label') ?? (element.textContent.trim() || element.tagName);
  })()
`;

const message = 'Cancel order 1002';

describeInBrowser('the widget for everybody', (pages) => {
  it('axe-core finds nothing while a message waits for the connection', async () => {
    const { url } = await scriptedServer({ scripts: [saying('Hello.')] });
    const proxy = await cuttingProxy(url);
    const { page, panel, log, openPanel, say } = await pages.open(proxy.url, { bypassCSP: true });
    await openPanel();
    await say('Hello');
    await log.getByText('Hello.').waitFor();
    proxy.isDown = true;
    proxy.cut();
    await panel.locator('.connection').waitFor();
    await say('Are you there?');
    await log.locator('.unsent').waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it('axe-core finds nothing: closed, open, with a list, with a question, decided, opened, cleared; light, dark, minimal', async () => {
    const { url } = await realServer();
    const { page, panel, log, openPanel, say } = await pages.open(url, { bypassCSP: true });
    await page.locator('tr[data-key]').first().waitFor();
    expect(await violations(page)).toEqual([]);
    await openPanel();
    expect(await violations(page)).toEqual([]);
    await say('Show me my open orders');
    await panel.locator('.card table').waitFor();
    expect(await violations(page)).toEqual([]);
    await say(message);
    await panel.locator('.confirmation').waitFor();
    for (const theme of ['default', 'dark', 'minimal']) {
      await page.evaluate(`HelperWidget.init({ theme: '${theme}' })`);
      expect(await violations(page)).toEqual([]);
    }
    await panel.getByRole('button', { name: 'Keep it' }).click();
    await log.getByText('You declined this.').waitFor();
    expect(await violations(page)).toEqual([]);
    await panel.locator('details.confirmation > summary').click();
    await page.keyboard.press('F6');
    await page.keyboard.press('F6');
    expect(await violations(page)).toEqual([]);
    await panel.getByRole('button', { name: 'New conversation' }).click();
    await panel.getByRole('button', { name: 'Undo' }).waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it('axe-core finds nothing in the fields of a question, changed and wrong ones (contract/confirmations.md)', async () => {
    const plugin = `export default { name: 'desk', actions: [{
      name: 'send_note', title: 'Send a note', description: 'Sends a note.', editable: true, execute: (args) => args,
      parameters: { type: 'object', properties: {
        to: { type: 'string' }, copies: { type: 'integer' }, urgent: { type: 'boolean' }, tags: { type: 'array' },
      } },
    }] }`;
    const { url } = await scriptedServer({
      scripts: [
        calling({ name: 'send_note', arguments: { to: 'x\u202E'.repeat(400), copies: 2, urgent: false, tags: [1] } }),
        saying('Done.'),
      ],
      plugin,
      settings: { hitlMode: 'Native', maxAutoApprovalIterations: 5, provenance: { enforce: false } },
    });
    const { page, panel, openPanel, say } = await pages.open(url, { bypassCSP: true });
    await openPanel();
    await say('Send it');
    const box = panel.locator('.confirmation');
    await box.getByRole('button', { name: 'Change values' }).click();
    await box.getByLabel('to', { exact: true }).fill('a\u202E'.repeat(400));
    await box.getByLabel('tags').fill('[');
    await box.getByRole('button', { name: 'Approve' }).click();
    await box.getByText('This is not valid JSON.').waitFor();
    for (const theme of ['default', 'dark', 'minimal']) {
      await page.evaluate(`HelperWidget.init({ theme: '${theme}' })`);
      expect(await violations(page)).toEqual([]);
    }
    await box.getByLabel('tags').fill('[2]');
    await box.getByRole('button', { name: 'Approve' }).click();
    await box.getByText('Done: ').waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it('axe-core finds nothing on a small screen, where the panel is modal', async () => {
    const { url } = await realServer();
    const { page, panel, openPanel, say } = await pages.open(url, {
      bypassCSP: true,
      viewport: { width: 320, height: 568 },
      hasTouch: true,
    });
    await openPanel();
    await say(message);
    await panel.locator('.confirmation').waitFor();
    expect(await violations(page)).toEqual([]);
    expect(
      await page.evaluate(
        `document.querySelector('helper-widget').shadowRoot.querySelector('dialog').matches(':modal')`,
      ),
    ).toBe(true);
    // Nothing is wider than the screen (WCAG 1.4.10).
    const overflow = `(() => { const log = document.querySelector('helper-widget').shadowRoot.querySelector('.log'); return log.scrollWidth - log.clientWidth; })()`;
    expect(await page.evaluate(overflow)).toBe(0);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'hidden' });
  });

  it('everything is done with the keyboard alone', async () => {
    const { url } = await realServer();
    const { page, panel, log, composer } = await pages.open(url);
    await page.locator('tr[data-key]').first().waitFor();
    await page.locator('.table-box').focus();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(focused)).toBe('Open chat');
    await page.keyboard.press('Enter');
    await panel.waitFor({ state: 'visible' });
    await expect.poll(() => page.evaluate(focused)).toBe('Your message');

    await page.keyboard.type('First line');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('second line');
    await expect.poll(() => composer.inputValue()).toBe('First line\nsecond line');
    await composer.fill(message);
    await page.keyboard.press('Enter');
    await panel.locator('.confirmation').waitFor();
    // A new question does not take the focus from a user who is writing.
    expect(await page.evaluate(focused)).toBe('Your message');

    await page.keyboard.press('Shift+Tab');
    expect(await page.evaluate(focused)).toBe('Keep it');
    await page.keyboard.press('Shift+Tab');
    expect(await page.evaluate(focused)).toBe('Cancel the order');
    await page.keyboard.press('Enter');
    await log.locator('.confirmation.is-succeeded').waitFor();
    // The line that replaces the question has the focus.
    expect(await page.evaluate(focused)).toBe('Done: Cancel an order');

    await page.keyboard.press('F6');
    expect(await page.evaluate(focused)).toBe('Your message');
    await page.keyboard.press('F6');
    expect(await page.evaluate(focused)).toBe('Conversation');
    await page.keyboard.press('F6');
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => composer.inputValue()).toBe(message);

    // The turn must end before the panel closes. Otherwise the launcher shows the answer as news.
    await panel.getByRole('button', { name: 'Send' }).waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'hidden' });
    expect(await page.evaluate(focused)).toBe('Open chat');
  });

  it('the panel beside a page is no trap (WCAG 2.1.2)', async () => {
    const { url } = await realServer();
    const { page, openPanel } = await pages.open(url);
    await page.locator('tr[data-key]').first().waitFor();
    await openPanel();
    const seen = new Set<unknown>();
    for (let presses = 0; presses < 12; presses += 1) {
      seen.add(await page.evaluate('document.activeElement.tagName'));
      await page.keyboard.press('Tab');
    }
    expect(seen.has('BODY') || seen.has('DIV')).toBe(true);
    await page.locator('h1').click();
    expect(await page.evaluate('document.activeElement.tagName')).toBe('BODY');
  });

  it('Enter that ends a composition does not send', async () => {
    const { url } = await realServer();
    const { page, panel, composer, openPanel } = await pages.open(url);
    await openPanel();
    await composer.fill('にほん');
    await page.evaluate(`
      document.querySelector('helper-widget').shadowRoot.querySelector('textarea')
        .dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true }))`);
    await expect.poll(() => panel.locator('.from-user').count()).toBe(0);
    await expect.poll(() => composer.inputValue()).toBe('にほん');
  });

  it('a turn is announced at its boundaries, once each, and never token by token', async () => {
    const { url } = await scriptedServer({
      scripts: [
        calling({ name: 'cancel_order', arguments: { orderNumber: 1002 } }),
        saying('**Order 1002** is cancelled. ', 'Anything ', 'else?'),
      ],
    });
    const { page, panel, openPanel, say } = await pages.open(url);
    await openPanel();
    await page.evaluate(recordAnnouncements);
    await say(message);
    await panel.getByRole('button', { name: 'Cancel the order' }).click();
    await panel.getByRole('button', { name: 'Send' }).waitFor();
    const spoken = 'announced.filter((text) => !text.endsWith("is thinking"))';
    await expect
      .poll(() => page.evaluate(spoken))
      .toEqual([
        '! Confirmation needed: Cancel order 1002. Order number: 1002. This cannot be undone. Press F6 to go to it.',
        'Done: Cancel an order',
        'Order 1002 is cancelled. Anything else?',
      ]);
    const log = panel.getByRole('log');
    expect(await log.getAttribute('aria-live')).toBe('off');
    expect(await log.getAttribute('aria-label')).toBe('Conversation');
    // What was said is taken away again, so that nobody meets it while reading.
    // It stays a second, so the usual second of patience would be a matter of luck.
    await expect.poll(() => panel.getByRole('status').locator('div').count()).toBe(0);
  });

  it('every button has a name in every language', async () => {
    const { url } = await realServer();
    const { page, openPanel } = await pages.open(url);
    await openPanel();
    const names = new Set<string>();
    for (const language of languages) {
      await page.evaluate(`HelperWidget.init({ language: '${language}' })`);
      const labels = await page.evaluate<string[]>(`
        [...document.querySelector('helper-widget').shadowRoot.querySelectorAll('button, textarea, dialog, [role=log]')]
          .map((element) => element.getAttribute('aria-label') ?? element.textContent.trim())`);
      expect(labels.filter((label) => label === '')).toEqual([]);
      names.add(labels.join());
    }
    expect(names.size).toBe(languages.length);
  });

  it('nothing moves for who wants no motion (WCAG 2.3.3)', async () => {
    const { url } = await realServer();
    const { page, panel, openPanel, say } = await pages.open(url, { reducedMotion: 'reduce' });
    await openPanel();
    await say(message);
    await panel.locator('.confirmation').waitFor();
    const moving = `document.querySelector('helper-widget').shadowRoot.getAnimations().length`;
    expect(await page.evaluate(moving)).toBe(0);
  });
});
