import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { framedBy, framingSite } from '../support/framing-page.ts';
import type { HostFile } from '../support/host-page.ts';
import { calling, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { scriptedVoice } from '../support/scripted-voice.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';
import { exampleFile } from '../unit/docs/pages.ts';

const guide = 'docs/guides/embed.md';
const order = { orderNumber: 1001, amount: '€5.00' };

describeInBrowser(
  'the page that frames the chat in the guide (docs/guides/embed.md)',
  (pages) => {
    it('signs its user in, does what the assistant asks for, and goes where it leads', async () => {
      const site = await framingSite();
      const { url, model } = await scriptedServer({
        scripts: [
          calling({ name: 'issue_refund', arguments: order }),
          saying('It is refunded.'),
          calling({ name: 'page_mark_order', arguments: { id: 1002 } }),
          saying('It is marked.'),
          calling({ name: 'navigate_to_page', arguments: { page: 'basket' } }),
          saying('There it is.'),
        ],
        settings: { pages: [{ name: 'basket', title: 'Basket', url: '/basket', description: 'The basket.' }] },
        overrides: { ...framedBy(site), HELPER__AUTH__JWT__SECRET: tokenSecret },
      });
      const page = exampleFile(guide, 'assistant.html').replace('https://assist.example.com', url);
      const token = await makeToken({ sub: 'ann', name: 'Ann', role: 'Supervisor' });
      site.serve({
        html: `<!doctype html><html lang="en"><head><title>Shop</title></head><body>${page}</body></html>`,
        contentSecurityPolicy: `default-src 'none'; script-src 'self' 'unsafe-inline'; connect-src 'self'; frame-src ${url}`,
        files: {
          '/helper-embed.js': {
            headers: { 'content-type': 'text/javascript' },
            body: exampleFile(guide, 'helper-embed.js'),
          },
          '/helper-token': {
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ token }),
          },
        },
      });
      const { page: host, messages } = await pages.open(site.url);
      const chat = host.frameLocator('#assistant');
      const say = async (text: string): Promise<void> => {
        await chat.locator('.round-button:not(.is-stop)').waitFor();
        await chat.locator('textarea').fill(text);
        await chat.locator('textarea').press('Enter');
      };
      await say('Refund order 1001');
      await chat.getByRole('button', { name: 'Approve' }).click();
      await chat.getByText('It is refunded.').first().waitFor();
      await say('Mark order 1002');
      await chat.getByText('It is marked.').first().waitFor();
      expect(await host.title()).toBe('Order 1002');
      const told = JSON.stringify((await model.request(3)).body['messages']);
      for (const word of ['marked', 'Shop']) expect(told).toContain(word);
      const frame = host.frames().find((candidate) => candidate.url() === `${url}/helper/embed`);
      const kept = await frame?.evaluate<string>(
        'dispatchEvent(new Event("pagehide")); JSON.stringify([{ ...sessionStorage }, { ...localStorage }])',
      );
      expect(kept).toContain('helper:');
      expect(kept).not.toContain(token);
      await say('Show me my basket');
      await host.waitForURL(`${site.origin}/basket`);
      // The next page frames the chat too, and the conversation is still there.
      await chat.getByText('It is refunded.').first().waitFor();
      expect(messages.filter((message) => !message.includes('favicon'))).toEqual([]);
    });

    it('listens for the frame, and lets its user feel that the answer has come', async () => {
      const site = await framingSite();
      const { url } = await scriptedServer({
        scripts: [saying('One, two.')],
        settings: { enableVoiceInput: true },
        overrides: framedBy(site),
      });
      const script = (name: string): HostFile => ({
        headers: { 'content-type': 'text/javascript' },
        body: exampleFile(guide, name),
      });
      site.serve({
        html: `<!doctype html><html lang="en"><head><title>Shop</title>${scriptedVoice}</head><body>
          <iframe id="assistant" title="Assistant" width="400" height="640"></iframe>
          <script type="module">
            import { connectHelper } from '/helper-embed.js';
            import { dictate } from '/dictation.js';
            window.felt = [];
            const haptic = ({ kind }) => felt.push(kind);
            connectHelper(document.getElementById('assistant'), { server: '${url}', dictate, haptic });
          </script></body></html>`,
        files: { '/helper-embed.js': script('helper-embed.js'), '/dictation.js': script('dictation.js') },
      });
      const { page: host, messages } = await pages.open(site.url);
      const chat = host.frameLocator('#assistant');
      const composer = chat.locator('textarea');
      await chat.getByRole('button', { name: 'Speak' }).click();
      await expect.poll(() => host.evaluate('[hearing.started, hearing.lang]')).toEqual([1, 'en-US']);
      await host.evaluate(`hearing.hear('Count ', 'to two')`);
      await expect.poll(() => composer.inputValue()).toBe('Count to two');
      await chat.getByRole('button', { name: 'Stop listening' }).click();
      await chat.getByRole('button', { name: 'Speak' }).waitFor();
      expect(await host.evaluate('hearing.stopped')).toBe(1);
      await composer.press('Enter');
      await chat.locator('.log').getByText('One, two.').waitFor();
      await expect.poll(() => host.evaluate('felt')).toEqual(['success']);
      await chat.getByRole('button', { name: 'Speak' }).click();
      await expect.poll(() => host.evaluate('hearing.started')).toBe(2);
      await host.evaluate(`hearing.fail('not-allowed')`);
      await chat.getByText('This page may not use the microphone.').waitFor();
      expect(messages.filter((message) => !message.includes('favicon'))).toEqual([]);
    });
  },
  { thirdPartyCookies: true },
);
