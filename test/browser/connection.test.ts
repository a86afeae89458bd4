import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { cuttingProxy } from '../support/cutting-proxy.ts';
import { inTwoParts } from '../support/in-two-parts.ts';
import { chunk, ending, failing, hangingAfter, type ModelScript, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';

describeInBrowser('the widget and its connection', (pages) => {
  it('a reply goes on after the line was cut, with nothing lost and nothing twice (contract/hub.md)', async () => {
    const reply = inTwoParts('The first half, ', 'and the second.');
    const { url } = await scriptedServer({ scripts: [reply.script] });
    const proxy = await cuttingProxy(url);
    const { panel, log, openPanel, say } = await pages.open(proxy.url);
    await openPanel();
    await say('Hello');
    await log.getByText('The first half,').waitFor();
    proxy.cut();
    reply.goOn();
    await log.getByText('The first half, and the second.').waitFor();
    await expect.poll(() => panel.locator('.from-bot').count()).toBe(1);
    await expect.poll(() => panel.locator('.notice').count()).toBe(0);
  });

  it('a line that was cut between two messages does not lose the conversation (contract/hub.md)', async () => {
    const { url, model } = await scriptedServer({ scripts: [saying('Hello Ann.'), saying('You are Ann.')] });
    const proxy = await cuttingProxy(url);
    const { panel, log, openPanel, say } = await pages.open(proxy.url);
    await openPanel();
    await say('I am Ann');
    await log.getByText('Hello Ann.').waitFor();
    await panel.getByRole('button', { name: 'Send' }).waitFor();
    const connected = proxy.connections();
    proxy.cut();
    await expect.poll(() => proxy.connections()).toBeGreaterThan(connected);
    await panel.locator('.connection').waitFor({ state: 'detached' });
    await say('Who am I?');
    await log.getByText('You are Ann.').waitFor();
    expect(JSON.stringify(model.requests[1]?.body['messages'])).toContain('I am Ann');
  });

  it('an open question survives the cut and can be answered (contract/hub.md and contract/restarts.md)', async () => {
    const { url } = await scriptedServer({
      scripts: [
        async (exchange) => {
          const call = { index: 0, id: 'call_1', type: 'function' };
          const named = { name: 'cancel_order', arguments: '{"orderNumber":1002}' };
          await exchange.send(chunk({ tool_calls: [{ ...call, function: named }] }) + ending('tool_calls'));
          exchange.end();
        },
        saying('It is cancelled.'),
      ],
    });
    const proxy = await cuttingProxy(url);
    const { page, panel, log, openPanel, say } = await pages.open(proxy.url);
    await openPanel();
    await say('Cancel it');
    await panel.locator('.confirmation').waitFor();
    proxy.cut();
    await panel.locator('.connection').waitFor({ state: 'detached' });
    await panel.getByRole('button', { name: 'Approve' }).click();
    await log.getByText('It is cancelled.').waitFor();
    await expect.poll(() => panel.locator('.confirmation').count()).toBe(1);
    await page.locator('tr[data-key="1002"]').getByText('cancelled').waitFor();
  });

  it('a turn that is gone is marked, and can be asked again', async () => {
    const reply = inTwoParts('Half of it', '');
    const { url } = await scriptedServer({
      scripts: [reply.script, saying('The whole answer.')],
      overrides: { HELPER__SERVER__DISCONNECTGRACE: '0', HELPER__SERVER__RESUMEWINDOW: '0' },
    });
    const proxy = await cuttingProxy(url);
    const { panel, log, openPanel, say } = await pages.open(proxy.url);
    await openPanel();
    await say('Hello');
    await log.getByText('Half of it').waitFor();
    proxy.cut();
    await log.getByText('this answer is incomplete').waitFor();
    reply.goOn();
    await panel.getByRole('button', { name: 'Try again' }).click();
    await log.getByText('The whole answer.').waitFor();
  });

  it('a message that waits for the connection says so within two seconds, and is sent when it is back', async () => {
    const { url } = await scriptedServer({ scripts: [saying('Hello Ann.'), saying('I am back.')] });
    const proxy = await cuttingProxy(url);
    const { page, panel, log, openPanel, say } = await pages.open(proxy.url);
    await openPanel();
    await say('I am Ann');
    await log.getByText('Hello Ann.').waitFor();
    await panel.getByRole('button', { name: 'Send' }).waitFor();
    proxy.isDown = true;
    proxy.cut();
    await panel.getByText('Connection lost. Reconnecting…').waitFor();
    // The pauses between the attempts have begun to grow.
    const before = proxy.connections();
    await expect.poll(() => proxy.connections()).toBeGreaterThan(before);
    const attempts = proxy.connections();
    // Screen readers are told as well. The spoken text is removed after a moment, so it is recorded here.
    await page.evaluate(`
      window.spoken = '';
      new MutationObserver((changes) => changes.forEach(({ addedNodes }) =>
        addedNodes.forEach(({ textContent }) => (spoken += textContent))),
      ).observe(document.querySelector('helper-widget').shadowRoot.querySelector('[role=status]'), { childList: true })`);
    await say('Are you there?');
    const waits = log.getByText('Your message will be sent when the connection is back.');
    await waits.waitFor();
    const opacity = `getComputedStyle(document.querySelector('helper-widget').shadowRoot.querySelector('.unsent')).opacity`;
    await expect.poll(() => page.evaluate(opacity)).toBe('1');
    await expect.poll(() => page.evaluate('spoken')).toContain('Your message will be sent');
    expect(proxy.connections()).toBeGreaterThan(attempts);
    proxy.isDown = false;
    await log.getByText('I am back.').waitFor();
    await expect.poll(() => waits.count()).toBe(0);
    await expect.poll(() => panel.locator('.connection, .notice').count()).toBe(0);
    await expect.poll(() => panel.locator('.from-user').count()).toBe(2);
  });

  it('a message that is sent while the browser is offline says within two seconds that it waits', async () => {
    const { url } = await scriptedServer({ scripts: [saying('Hello.'), saying('I am back.')] });
    const { page, panel, log, openPanel, say } = await pages.open(url);
    await openPanel();
    await say('Hello');
    await log.getByText('Hello.').waitFor();
    await panel.getByRole('button', { name: 'Send' }).waitFor();
    await page.context().setOffline(true);
    await say('Are you there?');
    await log.getByText('Your message will be sent when the connection is back.').waitFor();
    await page.context().setOffline(false);
    await log.getByText('I am back.').waitFor();
    await expect.poll(() => panel.locator('.connection, .notice').count()).toBe(0);
  });

  it('it is back at once when the browser is online again', async () => {
    const { url } = await scriptedServer({ scripts: [saying('Hello.')] });
    const proxy = await cuttingProxy(url);
    const { page, panel, log, openPanel, say } = await pages.open(proxy.url);
    await openPanel();
    await say('Hello');
    await log.getByText('Hello.').waitFor();
    proxy.isDown = true;
    proxy.cut();
    await panel.getByText('Connection lost. Reconnecting…').waitFor();
    const before = proxy.connections();
    await expect.poll(() => proxy.connections()).toBeGreaterThan(before);
    // The next attempt is three seconds away.
    proxy.isDown = false;
    await page.evaluate(`dispatchEvent(new Event('online')); null`);
    await panel.locator('.connection').waitFor({ state: 'detached' });
  });

  it.each(['server-sent events', 'polling'])('without WebSockets it chats over %s (contract/hub.md)', async (way) => {
    const { url } = await scriptedServer({ scripts: [saying('Through the back door.')] });
    const { page, log, openPanel, say } = await pages.open('about:blank');
    await page.addInitScript('window.WebSocket = class { constructor() { throw new Error("blocked"); } }');
    const ways = new Set<string>();
    await page.route('**/helper-hub?id=*', async (route) => {
      const isStream = route.request().headers()['accept'] === 'text/event-stream';
      if (isStream && way === 'polling') await route.abort();
      else {
        if (route.request().method() === 'GET') ways.add(isStream ? 'server-sent events' : 'polling');
        await route.continue();
      }
    });
    await page.goto(url);
    await openPanel();
    await say('Hello');
    await log.getByText('Through the back door.').waitFor();
    expect([...ways]).toEqual([way]);
  });

  it('a server that is away is told, and the message can be sent again', async () => {
    const { url } = await scriptedServer({ scripts: [saying('Here I am.')] });
    const proxy = await cuttingProxy(url);
    const { panel, log, openPanel, say } = await pages.open(proxy.url);
    await openPanel();
    proxy.isDown = true;
    await say('Hello');
    await panel.getByText('Connecting…').waitFor();
    proxy.isDown = false;
    // The widget tries the first connect again by itself.
    await log.getByText('Here I am.').waitFor();
  });

  // proves wire-9-02
  it('Stop ends the reply, keeps what was said and closes the model’s socket (contract/confirmations.md#stop)', async () => {
    const { url, model } = await scriptedServer({ scripts: [hangingAfter('and and ')] });
    const { panel, log, openPanel, say } = await pages.open(url);
    await openPanel();
    await say('Talk');
    await log.getByText('and and').waitFor();
    await panel.getByRole('button', { name: 'Stop' }).click();
    await log.getByText('Stopped').waitFor();
    const request = await model.request(0);
    expect((await request.closed).early).toBe(true);
    await panel.getByRole('button', { name: 'Send' }).waitFor();
  });

  it('a failing model is told in words, with Retry (contract/models.md)', async () => {
    const { url } = await scriptedServer({
      scripts: [failing(500), failing(500), failing(500), saying('Better now.')],
    });
    const { panel, log, openPanel, say } = await pages.open(url);
    await openPanel();
    await say('Hello');
    await panel.locator('.notice').waitFor();
    await panel.getByRole('button', { name: 'Try again' }).click();
    await log.getByText('Better now.').waitFor();
  });

  it('a message that is too long is held back with its reason, and nothing is lost (contract/limits.md#messages)', async () => {
    const { url } = await scriptedServer({
      scripts: [saying('Hello.'), saying('Short enough.')],
      overrides: { HELPER__MAXMESSAGELENGTH: '20' },
    });
    const { panel, log, composer, openPanel, say } = await pages.open(url);
    await openPanel();
    // Before the first message the widget does not know the limit. The server refuses the message, and the text returns to the composer.
    await say('This is longer than twenty characters.');
    await panel.locator('.notice').waitFor();
    await expect.poll(() => composer.inputValue()).toBe('This is longer than twenty characters.');
    // The widget now knows the limit.
    await panel.getByText('Too long: 38 of at most 20 characters.').waitFor();
    await composer.press('Enter');
    await expect.poll(() => panel.locator('.from-user').count()).toBe(1);
    await say('Twenty characters ok');
    await log.getByText('Hello.').waitFor();
  });

  it('a forbidden page is told once and not asked to try again (contract/addresses.md#answers)', async () => {
    const { url } = await scriptedServer({ scripts: [] });
    const { page, panel, log, openPanel, say } = await pages.open(url);
    await page.route('**/helper-hub/negotiate**', (route) => route.fulfill({ status: 403, body: '' }));
    await openPanel();
    await say('Hello');
    await log.getByText('does not accept messages from this page').waitFor();
    await expect.poll(() => panel.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  });

  it('an answer that does not arrive can be given again; one that came too late is told (contract/confirmations.md#answering)', async () => {
    const script: ModelScript = async (exchange) => {
      const call = { index: 0, id: 'call_1', type: 'function' };
      const named = { name: 'cancel_order', arguments: '{"orderNumber":1002}' };
      await exchange.send(chunk({ tool_calls: [{ ...call, function: named }] }) + ending('tool_calls'));
      exchange.end();
    };
    const { url } = await scriptedServer({ scripts: [script] });
    const { page, panel, log, openPanel, say } = await pages.open(url);
    await openPanel();
    await say('Cancel it');
    const approve = panel.getByRole('button', { name: 'Approve' });
    await page.route('**/helper/approve', (route) => route.abort(), { times: 1 });
    await approve.click();
    await log.getByText('Your answer could not be sent.').waitFor();
    await page.route('**/helper/approve', (route) => route.fulfill({ status: 404, body: '{}' }), { times: 1 });
    await approve.click();
    await log.getByText('This question is no longer open.').waitFor();
  });
});
