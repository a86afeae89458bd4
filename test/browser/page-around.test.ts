import { expect, it } from 'vitest';
import { describeInBrowser, type WidgetPage } from '../support/browser.ts';
import { hostPage } from '../support/host-page.ts';
import { realServer } from '../support/real-server.ts';

/** A page of a website with the widget, or with what brings the widget in its own way. */
async function website(body: string, tag?: (server: string) => string): Promise<{ url: string; server: string }> {
  const site = await hostPage();
  const { url: server } = await realServer({ HELPER__CORS__DEFAULT__ORIGINS: JSON.stringify([site.origin]) });
  const script = tag?.(server) ?? `<script async src="${server}/helper/widget.js"></script>`;
  const head = '<meta charset="utf-8"><title>Shop</title>';
  site.serve({ html: `<!doctype html><html lang="en"><head>${head}</head><body>${body}${script}</body></html>` });
  return { url: site.url, server };
}

async function answers({ launcher, openPanel, say, log }: WidgetPage): Promise<void> {
  await launcher.waitFor();
  await openPanel();
  await say('Show me my open orders');
  await log.locator('.card table').waitFor();
}

/** Dialogs that take the focus back, as libraries do. */
const traps = {
  Bootstrap: `document.addEventListener('focusin', ({ target }) => {
    if (target !== document && !dialog.contains(target)) dialog.querySelector('input').focus();
  });`,
  Radix: `
    document.addEventListener('focusin', ({ target }) => {
      if (!dialog.contains(target)) dialog.querySelector('input').focus();
    });
    document.addEventListener('focusout', ({ relatedTarget }) => {
      if (relatedTarget !== null && !dialog.contains(relatedTarget)) dialog.querySelector('input').focus();
    });`,
};

describeInBrowser('the page around the widget (contract/widget.md#the-page-around-it)', (pages) => {
  // proves wire-21-10
  it('hears no key that is pressed in the widget', async () => {
    const { url } = await website(`<script>
      window.heard = [];
      for (const type of ['keydown', 'keypress', 'keyup', 'focusin'])
        document.addEventListener(type, (event) => heard.push(type + ' ' + event.key));
    </script>`);
    const { page, launcher, panel, composer, openPanel } = await pages.open(url);
    await launcher.waitFor();
    await openPanel();
    await page.evaluate('heard.length = 0');
    await composer.pressSequentially('s');
    await composer.press('Escape');
    await panel.waitFor({ state: 'hidden' });
    expect(await page.evaluate('heard')).toEqual([]);
    const focused = `document.querySelector('helper-widget').shadowRoot.activeElement?.className`;
    expect(await page.evaluate(focused)).toBe('launcher');
  });

  // proves wire-21-11
  it.each(Object.entries(traps))(
    'leaves the composer usable while a dialog of %s keeps the focus',
    async (_name, trap) => {
      const { url } = await website(
        `<div id="dialog" role="dialog" aria-label="Edit"><input aria-label="Name"></div>
       <script>const dialog = document.getElementById('dialog'); ${trap} dialog.querySelector('input').focus();</script>`,
      );
      const { page, launcher, composer, openPanel } = await pages.open(url);
      await launcher.waitFor();
      await openPanel();
      await page.keyboard.type('one');
      await expect.poll(() => composer.inputValue()).toBe('one');
      await page.getByLabel('Name').click();
      await page.keyboard.type('Ann');
      await composer.click();
      await page.keyboard.type(' two');
      await expect.poll(() => composer.inputValue()).toBe('one two');
      await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Ann');
    },
  );

  // proves wire-21-12
  it('is printed without the widget', async () => {
    const { url } = await website('<p>An invoice</p>');
    const { page, launcher, panel, openPanel } = await pages.open(url);
    await launcher.waitFor();
    await openPanel();
    await page.emulateMedia({ media: 'print' });
    await expect.poll(() => launcher.isVisible()).toBe(false);
    await expect.poll(() => panel.isVisible()).toBe(false);
  });

  // proves wire-21-12
  it('prints the chat where the chat is the page', async () => {
    const { url } = await realServer();
    const { page, panel } = await pages.open(`${url}/helper/embed`);
    await panel.waitFor();
    await page.emulateMedia({ media: 'print' });
    await expect.poll(() => panel.isVisible()).toBe(true);
  });

  // proves wire-6-01, wire-21-14
  it('may load the script as a module, with its attributes', async () => {
    const { url } = await website(
      '',
      (server) => `<script type="module" src="${server}/helper/widget.js?v=1" data-bot-name="Ada"></script>`,
    );
    const opened = await pages.open(url);
    await answers(opened);
    await expect.poll(() => opened.panel.getByRole('heading', { name: 'Ada' }).count()).toBe(1);
  });

  // proves wire-21-14
  it('may import the script', async () => {
    const { url } = await website(
      '',
      (server) => `<script type="module">await import('${server}/helper/widget.js?v=1');</script>`,
    );
    const opened = await pages.open(url);
    await answers(opened);
    expect(opened.messages.filter((message) => !message.includes('favicon'))).toEqual([]);
  });

  // proves wire-21-13
  it('may have changed how values become JSON', async () => {
    const { url } = await website(`<script>
      for (const { prototype } of [Array, Object, String, Number])
        Object.defineProperty(prototype, 'toJSON', { value() { return String(this); }, configurable: true });
    </script>`);
    const opened = await pages.open(url);
    await answers(opened);
    await opened.say('Cancel order 1002');
    await opened.panel.getByRole('button', { name: 'Cancel the order' }).click();
    await opened.log.locator('.confirmation.is-succeeded').waitFor();
    // The conversation goes with the user to the next page.
    await opened.page.reload();
    await opened.log.locator('.confirmation.is-succeeded').waitFor();
  });
});
