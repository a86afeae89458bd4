import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { mountedHost } from '../support/mounted-host.ts';

const html = `<!doctype html><html lang="en"><head><title>Desk</title></head><body><h1>Desk</h1>
  <script async src="/assistant/helper/widget.js"></script></body></html>`;

describeInBrowser('the widget of a server that is mounted in another', (pages) => {
  it('works on pages of that server, from the first message to an approved action', async () => {
    const { url } = await mountedHost({
      scripts: [],
      settings: {
        chatClient: 'demo',
        models: { demo: { provider: 'demo', options: { wordDelay: '0ms' } } },
        storage: { type: 'memory' },
        server: { shutdownGrace: '0s' },
      },
      before: (host) => {
        host.get('/', (_request, reply) => reply.type('text/html').send(html));
      },
    });
    const { messages, panel, log, openPanel, say } = await pages.open(`${url}/`);
    await openPanel();
    await say('Show me my open orders');
    await panel.locator('.card table').waitFor();
    await say('Cancel order 1002');
    await panel.getByRole('button', { name: 'Cancel the order' }).click();
    await log.locator('.confirmation.is-succeeded').waitFor();
    // A page without an icon is asked for one.
    expect(messages.filter((message) => !message.includes('404'))).toEqual([]);
  });
});
