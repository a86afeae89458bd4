import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { describeInBrowser } from '../support/browser.ts';
import { hostPage } from '../support/host-page.ts';
import { realServer } from '../support/real-server.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

const root = join(import.meta.dirname, '../..');
const guide =
  readFileSync(join(root, 'docs/guides/sign-in.md'), 'utf8').split('## Your page on another origin')[1] ?? '';

/** A block of the guide's section as a reader would copy it. */
function block(kind: string): string {
  const code = guide.split(`\`\`\`${kind}\n`)[1]?.split('```', 1)[0];
  if (code === undefined) throw new Error(`the section has no block ${kind}`);
  return code;
}

function browserBuild(name: string): { readonly headers: Record<string, string>; readonly body: string } {
  return script(readFileSync(join(root, 'node_modules/@microsoft', name, 'dist/browser', `${name}.min.js`), 'utf8'));
}

function script(body: string): { readonly headers: Record<string, string>; readonly body: string } {
  return { headers: { 'content-type': 'text/javascript; charset=utf-8' }, body };
}

/** The page of the guide on its origin, and the server with the settings of the guide on another. */
async function guidePage(name: 'chat.js' | 'stream.js', edit: (code: string) => string = (code) => code) {
  const site = await hostPage();
  const settings = block('yaml').replace('https://shop.example.com', site.origin);
  const { auth, cors } = parse(settings) as Readonly<Record<'auth' | 'cors', object>>; // the guide's own
  const { url } = await realServer({
    HELPER_TOKEN_SECRET: tokenSecret,
    HELPER__AUTH: JSON.stringify(auth),
    HELPER__CORS: JSON.stringify(cors),
    HELPER__MODELS__DEMO__OPTIONS: '{ wordDelay: 0ms }',
  });
  const token = await makeToken({ sub: 'ann', name: 'Ann', role: 'Supervisor' }, { audience: 'order-desk' });
  const html = block('html').replace('chat.js', name);
  site.serve({
    html: `<!doctype html><html lang="en"><head><title>Shop</title><script src="msgpack.min.js" defer></script></head><body>${html}</body></html>`,
    files: {
      '/helper-token': { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ token }) },
      '/signalr.min.js': browserBuild('signalr'),
      '/msgpack.min.js': browserBuild('signalr-protocol-msgpack'),
      [`/${name}`]: script(edit(block(`js file=${name}`).replace('https://chat.example.com', url))),
    },
  });
  return { site, server: url };
}

/** Resolves with the status that the script prints when its turn has ended. */
async function statusOf(page: Page): Promise<string> {
  const printed = await page.waitForEvent('console', { predicate: (message) => message.type() === 'log' });
  return printed.text();
}

/** The requests of each transport, from the first one to the client's goodbye. */
const requestsOver = {
  WebSockets: ['WebSocket'],
  ServerSentEvents: ['GET eventsource', 'POST fetch'],
  LongPolling: ['DELETE fetch', 'GET fetch', 'POST fetch'],
} as const;

describeInBrowser(
  'a page on another origin that is listed (contract/identity.md, contract/doors.md and contract/hub.md)',
  (pages) => {
    // proves service-5-20, service-5-21
    it.each<[keyof typeof requestsOver, 'JSON' | 'MessagePack']>([
      ['WebSockets', 'JSON'],
      ['WebSockets', 'MessagePack'],
      // The client takes no binary protocol over server-sent events.
      ['ServerSentEvents', 'JSON'],
      ['LongPolling', 'JSON'],
      ['LongPolling', 'MessagePack'],
    ])('asks, is asked and sees it done with the official client over %s in %s', async (transport, protocol) => {
      const { site, server } = await guidePage('chat.js', (code) => {
        const transported = `${code}await chat.stop();`.replace(
          'accessTokenFactory: fetchToken',
          `$&, transport: signalR.HttpTransportType.${transport}`,
        );
        if (protocol === 'JSON') return transported;
        return transported.replace(
          '.build()',
          '.withHubProtocol(new signalR.protocols.msgpack.MessagePackHubProtocol())$&',
        );
      });
      const { page, messages } = await pages.open('about:blank');
      const hubRequests = new Set<string>();
      page.on('request', (request) => {
        if (request.url().startsWith(`${server}/helper-hub?`))
          hubRequests.add(`${request.method()} ${request.resourceType()}`);
      });
      page.on('websocket', () => hubRequests.add('WebSocket'));
      const asked: string[] = [];
      page.on('dialog', (dialog) => {
        asked.push(dialog.message());
        void dialog.accept();
      });
      const status = statusOf(page);
      await page.goto(site.url);
      expect(await status).toBe('completed');
      expect(asked).toEqual(['Issue a refund\nOrder number: 1001\nAmount: "€5.00"']);
      expect(await page.locator('#reply').textContent()).toContain('Done. The card shows the details.');
      await expect.poll(() => [...hubRequests].sort()).toEqual(requestsOver[transport]);
      // Over LongPolling the client says goodbye twice, and its DELETE finds the connection gone.
      expect(messages.filter((message) => !/favicon|404 \(Not Found\)/.test(message))).toEqual([]);
    });

    // proves service-5-20
    it('reads one answer as server-sent events with fetch and a token', async () => {
      const { site } = await guidePage('stream.js');
      const { page, messages } = await pages.open('about:blank');
      const status = statusOf(page);
      await page.goto(site.url);
      expect(await status).toBe('completed');
      expect(await page.locator('#reply').textContent()).toMatch(/1001/);
      expect(messages.filter((message) => !message.includes('favicon'))).toEqual([]);
    });
  },
);
