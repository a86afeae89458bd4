import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { hostPage } from '../support/host-page.ts';
import { calling, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';

/** A shop that offers the assistant a UI action, as the widget's guide shows it. */
const register = (readOnly: boolean) => `
  HelperWidget.registerAction('show_order', {
    description: 'Scrolls to an order of the list.',
    parameters: { type: 'object', properties: { id: { type: 'integer', title: 'Order' } }, required: ['id'] },
    readOnly: ${String(readOnly)},
    handler: ({ id }) => { document.title = 'Order ' + id; return { shown: id }; },
  });`;

async function shop(readOnly: boolean) {
  const site = await hostPage();
  const server = await scriptedServer({
    scripts: [calling({ name: 'page_show_order', arguments: { id: 1002 } }), saying('There it is.')],
    settings: { cors: { default: { origins: [site.origin] } } },
  });
  site.serve({
    html: `<!doctype html><html lang="en"><head><title>Shop</title></head><body><h1>Shop</h1>
      <script>window.HelperWidget = { q: [] };</script>
      <script src="${server.url}/helper/widget.js"></script>
      <script>${register(readOnly)}</script></body></html>`,
  });
  return { site, server };
}

describeInBrowser('what a page registers with the widget (contract/ui-actions.md)', (pages) => {
  it('is done in the page, and the assistant is told what came of it', async () => {
    const { site, server } = await shop(true);
    const { page, log, openPanel, say } = await pages.open(site.url);
    await openPanel();
    await say('Show me order 1002');
    await log.getByText('There it is.').waitFor();
    expect(await page.title()).toBe('Order 1002');
    expect(JSON.stringify((await server.model.request(1)).body['messages'])).toContain('shown');
  });

  it('asks the user first unless it is declared to read, and is not done when they decline', async () => {
    const { site, server } = await shop(false);
    const { page, panel, log, openPanel, say } = await pages.open(site.url);
    await openPanel();
    await say('Show me order 1002');
    await panel.getByRole('button', { name: 'Decline' }).click();
    await log.getByText('There it is.').waitFor();
    expect(await page.title()).toBe('Shop');
    expect(JSON.stringify((await server.model.request(1)).body['messages'])).toContain('The user declined this action');
  });
});
