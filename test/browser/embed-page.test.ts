import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { framedBy, framingSite, openFramed } from '../support/framing-page.ts';
import { inTwoParts } from '../support/in-two-parts.ts';
import { realServer } from '../support/real-server.ts';
import { calling, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

const ann = { sub: 'ann', name: 'Ann', role: 'Supervisor' };
const refund = 'Refund order 1001, amount 5';
const signedIn = { HELPER__AUTH__JWT__SECRET: tokenSecret };

describeInBrowser('the embed page in a frame of another site (contract/embed.md)', (pages) => {
  // proves wire-6-60
  it('is the open chat and nothing beside it, and takes the focus from nobody', async () => {
    const site = await framingSite();
    const { url } = await realServer(framedBy(site));
    const { page, frame, heard, complaints } = await openFramed(pages, site, url);
    await expect.poll(() => frame.locator('.launcher').isVisible()).toBe(false);
    expect(await frame.locator('dialog.panel').boundingBox()).toEqual(await page.locator('iframe').boundingBox());
    expect(await page.evaluate('document.activeElement === document.body')).toBe(true);
    expect(await heard('ready')).toEqual([{}]);
    expect(complaints()).toEqual([]);
  });

  // proves wire-21-15
  it('is a column of at most 760 px in a wide page, whose scroll bar stays at the edge', async () => {
    const { url } = await realServer();
    const { page, panel, log, say } = await pages.open(`${url}/helper/embed`);
    await panel.waitFor();
    await say('Cancel order 1002');
    for (const part of [log.locator('.confirmation'), panel.locator('.composer-box')]) {
      const { x = 0, width = 0 } = (await part.boundingBox()) ?? {};
      expect(width).toBeLessThanOrEqual(760);
      expect(Math.abs(2 * x + width - 1280)).toBeLessThan(20);
    }
    expect((await panel.locator('.transcript').boundingBox())?.width).toBe(1280);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
  });

  // proves wire-9-62
  it('plays a whole turn with a question, and tells the host its state', async () => {
    const site = await framingSite();
    const { url } = await realServer(framedBy(site));
    const { frame, heard, say, complaints } = await openFramed(pages, site, url);
    await say('Cancel order 1002');
    await frame.getByRole('button', { name: 'Cancel the order' }).click();
    await frame.locator('.confirmation.is-succeeded').waitFor();
    await frame.locator('.round-button:not(.is-stop)').waitFor();
    const state = { isOpen: true, isRunning: false, openConfirmations: 0, unread: 0, connection: 'connected' };
    await expect.poll(async () => (await heard('state')).at(-1)).toEqual(state);
    expect(await heard('state')).toContainEqual({ ...state, isRunning: true, openConfirmations: 1 });
    expect(complaints()).toEqual([]);
  });

  // proves wire-9-63
  it('asks the host for the token, once for all who wait, and the token is in no address of the page', async () => {
    const site = await framingSite();
    const { url } = await realServer({ ...framedBy(site), ...signedIn });
    const { page, frame, tell, heard, say } = await openFramed(pages, site, url);
    const token = await makeToken(ann);
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    await page.evaluate(`answers.getToken = ${JSON.stringify({ token })}`);
    await tell('init', { can: ['getToken'] });
    await say(refund);
    await frame.getByRole('button', { name: 'Approve' }).click();
    await frame.locator('.is-succeeded').waitFor();
    expect((await heard('getToken')).length).toBeGreaterThan(0);
    expect(addresses.filter((address) => address.includes(token))).toEqual([]);
    expect(frame.url()).toBe(`${url}/helper/embed`);
  });

  // proves wire-9-63
  it('takes a setToken as the answer, and asks again before the token ends', async () => {
    const site = await framingSite();
    const { url } = await realServer({ ...framedBy(site), ...signedIn, HELPER__AUTH__JWT__CLOCKTOLERANCE: '0s' });
    const { page, frame, tell, heard, say } = await openFramed(pages, site, url);
    const short = await makeToken(ann, { expiresAt: Math.ceil(Date.now() / 1000) + 6 });
    const long = await makeToken(ann);
    await page.evaluate(`
      window.token = ${JSON.stringify(short)};
      addEventListener('message', ({ data }) => {
        if (data.type === 'getToken') tell('setToken', { token });
      });`);
    await tell('init', { can: ['getToken'] });
    await say('Show me my open orders');
    await frame.locator('.card table').waitFor();
    await page.evaluate(`window.token = ${JSON.stringify(long)}; null`);
    const renewed = await page.waitForResponse('**/helper-hub/refresh?id=*');
    expect(renewed.request().headers()['authorization']).toBe(`Bearer ${long}`);
    expect((await heard('getToken')).length).toBeGreaterThan(1);
    expect(await heard('error')).toEqual([]);
  });

  // proves wire-9-61
  it('a host that pushes tokens is not asked; null signs out, and nothing of the user stays', async () => {
    const site = await framingSite();
    const { url } = await realServer({ ...framedBy(site), ...signedIn });
    const { frame, tell, heard, say } = await openFramed(pages, site, url);
    await tell('setToken', { token: await makeToken(ann) });
    await say(refund);
    await frame.locator('.confirmation').waitFor();
    await tell('setToken', { token: null });
    await expect.poll(() => frame.locator('.confirmation, .message').count()).toBe(0);
    await say(refund);
    await frame.locator('.action-line.is-refused').waitFor();
    expect(await heard('getToken')).toEqual([]);
  });

  it('a host that says nothing keeps nobody from chatting', async () => {
    const site = await framingSite();
    const { url } = await realServer({ ...framedBy(site), ...signedIn });
    const { frame, say } = await openFramed(pages, site, url);
    await say('Show me my open orders');
    await frame.locator('.card table').waitFor();
  });

  // proves wire-9-62
  it('tells a host that can go there about pages and links, and never leaves by itself', async () => {
    const site = await framingSite();
    const { url } = await scriptedServer({
      scripts: [
        calling({ name: 'navigate_to_page', arguments: { page: 'basket' } }),
        saying('There it is, and [more](/help#basket).'),
        calling({ name: 'navigate_to_page', arguments: { page: 'basket' } }),
        saying('There it is again.'),
      ],
      settings: { pages: [{ name: 'basket', title: 'Your basket', url: '/basket', description: 'The basket.' }] },
      overrides: framedBy(site),
    });
    const { page, frame, tell, heard, say } = await openFramed(pages, site, url);
    await tell('init', { can: ['navigate', 'openLink'] });
    await say('Show me my basket');
    await frame.getByRole('link', { name: 'more' }).click();
    expect(await heard('navigate')).toEqual([{ url: '/basket', page: 'basket' }]);
    await expect.poll(() => heard('openLink')).toEqual([{ url: '/help#basket' }]);
    await tell('init', {});
    await say('And again');
    await frame.locator('.log').getByText('There it is again.').waitFor();
    await frame.getByRole('link', { name: 'Your basket' }).waitFor();
    expect(await heard('navigate')).toHaveLength(1);
    expect(frame.url()).toBe(`${url}/helper/embed`);
    expect(page.context().pages()).toHaveLength(1);
  });

  // proves wire-9-62
  it('lends the assistant what the host can do, and the host answers', async () => {
    const site = await framingSite();
    const show = { name: 'page_show_order', arguments: { id: 1002 } };
    const { url, model } = await scriptedServer({
      scripts: [calling(show), saying('There it is.'), calling(show), saying('It is not.')],
      overrides: framedBy(site),
    });
    const { page, frame, tell, heard, say } = await openFramed(pages, site, url);
    const parameters = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] };
    const action = { name: 'show_order', description: 'Scrolls to an order.', parameters, readOnly: true };
    await tell('init', { actions: [action] });
    await page.evaluate(`answers.uiAction = { result: { shown: 1002 } }`);
    await say('Show me order 1002');
    await frame.locator('.log').getByText('There it is.').waitFor();
    expect(await heard('uiAction')).toEqual([{ name: 'show_order', arguments: { id: 1002 } }]);
    expect(JSON.stringify((await model.request(1)).body['messages'])).toContain('shown');
    await page.evaluate(`answers.uiAction = { error: 'There is no such order.' }`);
    await say('Once more');
    await frame.locator('.log').getByText('It is not.').waitFor();
    expect(JSON.stringify((await model.request(3)).body['messages'])).toContain('There is no such order.');
  });

  // proves wire-9-61
  it('tells the assistant where the host says its user is, and nothing of the frame’s own address', async () => {
    const site = await framingSite();
    const { url, model } = await scriptedServer({
      scripts: [saying('One.'), saying('Two.'), saying('Three.')],
      overrides: framedBy(site),
    });
    const { frame, tell, say } = await openFramed(pages, site, url);
    const asked = async (text: string, index: number): Promise<string> => {
      await say(text);
      await frame.locator('.log .from-bot').nth(index).waitFor();
      return JSON.stringify((await model.request(index)).body['messages']);
    };
    expect(await asked('First', 0)).not.toContain('/helper/embed');
    await tell('setContext', { name: 'Basket 77', title: 'My basket', url: '/basket/77', data: { total: 12 } });
    const second = await asked('Second', 1);
    for (const told of ['Basket 77', 'My basket', '/basket/77', 'total']) expect(second).toContain(told);
    await tell('setContext', { name: 'Orders' });
    const third = await asked('Third', 2);
    expect(third).toContain('Orders');
    expect(third).not.toContain('Basket 77');
    expect(third).not.toContain('/basket/77');
  });

  // proves wire-9-61
  it('closes where the host can, and otherwise stays', async () => {
    const site = await framingSite();
    const { url } = await realServer(framedBy(site));
    const { frame, tell, heard } = await openFramed(pages, site, url);
    const panel = frame.locator('dialog.panel');
    const close = frame.getByRole('button', { name: 'Close chat' });
    await expect.poll(() => close.count()).toBe(0);
    await frame.locator('textarea').press('Escape');
    await tell('back');
    await expect.poll(async () => (await heard('state')).at(-1)).toMatchObject({ isOpen: true });
    await expect.poll(() => panel.isVisible()).toBe(true);
    expect(await heard('close')).toEqual([]);

    await tell('init', { can: ['close'] });
    await close.click();
    await expect.poll(() => heard('close')).toEqual([{}]);
    await tell('open');
    await panel.waitFor();
    expect(await frame.evaluate(`document.querySelector('helper-widget').shadowRoot.activeElement.tagName`)).toBe(
      'TEXTAREA',
    );
    await tell('back');
    await expect.poll(() => heard('close')).toEqual([{}, {}]);
    await tell('open');
    await panel.waitFor();
    await tell('close');
    await panel.waitFor({ state: 'hidden' });
    expect(await heard('close')).toHaveLength(2);
  });

  // proves wire-9-62
  it('counts for the host what comes while it is closed', async () => {
    const site = await framingSite();
    const reply = inTwoParts('The first half, ', 'and the second.');
    const { url } = await scriptedServer({ scripts: [reply.script], overrides: framedBy(site) });
    const { frame, tell, heard, say } = await openFramed(pages, site, url);
    await say('Tell me all');
    await frame.locator('.log').getByText('The first half,').waitFor();
    await tell('close');
    await frame.locator('dialog.panel').waitFor({ state: 'hidden' });
    reply.goOn();
    await expect.poll(() => heard('unread')).toEqual([{ count: 1 }]);
    await tell('open');
    await expect.poll(() => heard('unread')).toEqual([{ count: 1 }, { count: 0 }]);
  });

  // proves wire-9-61
  it('sends, looks and speaks as the host says', async () => {
    const site = await framingSite();
    const { url } = await realServer(framedBy(site));
    const { frame, tell } = await openFramed(pages, site, url);
    await tell('init', { locale: 'it-IT', theme: 'dark', botName: 'Ada', primaryColor: '#ffcc00' });
    await frame.getByRole('heading', { name: 'Ada' }).waitFor();
    await expect.poll(() => frame.locator('dialog.panel').getAttribute('lang')).toBe('it');
    expect(await frame.locator('.root').getAttribute('class')).toContain('theme-Dark');
    await tell('setLocale', { locale: 'de' });
    await tell('setTheme', { theme: 'Minimal' });
    await expect.poll(() => frame.locator('dialog.panel').getAttribute('lang')).toBe('de');
    await expect.poll(() => frame.locator('.root').getAttribute('class')).toContain('theme-Minimal');
    expect(await frame.evaluate('document.documentElement.lang')).toBe('de');
    await tell('send', { text: 'Show me my open orders' });
    await frame.locator('.card table').waitFor();
  });

  // proves wire-9-62
  it.each([
    ['setToken', { token: 5 }, 'setToken: token has to be a text or null'],
    ['setToken', {}, 'setToken: token has to be a text or null'],
    ['send', { text: { toString: 1 } }, 'send: text has to be a text of at most 65536 characters'],
    ['setTheme', {}, 'setTheme: theme is missing'],
    ['setContext', { title: 'x' }, 'setContext: name is missing'],
    ['setContext', { name: 'x', data: 'x'.repeat(9000) }, 'setContext: pageData is larger than 8 KiB of JSON'],
    ['init', { can: 'close' }, 'init: can has to be a list of at most 16'],
    ['init', { actions: [{}] }, 'init: name is missing'],
    ['init', { can: ['close'], context: 'x' }, 'init: context has to be an object'],
  ])('says what is wrong about a faulty %s, and does nothing of it', async (type, payload, message) => {
    const site = await framingSite();
    const { url } = await realServer(framedBy(site));
    const { frame, tell, heard } = await openFramed(pages, site, url);
    await tell(type, payload, 'q1');
    await expect.poll(() => heard('error')).toEqual([{ code: 'invalid_request', message }]);
    await expect.poll(() => frame.locator('.message').count()).toBe(0);
    await expect.poll(() => frame.getByRole('button', { name: 'Close chat' }).count()).toBe(0);
  });
});

describeInBrowser('who may frame the embed page and talk with it (contract/embed.md)', (pages) => {
  // proves wire-6-60, wire-9-64
  it.each([
    ['a site that is not listed', ['https://shop.example.com']],
    ['any site, where only the server’s own may', ["'self'"]],
    ['any site, where the list is empty', []],
  ])('%s gets no page', async (_title, ancestors) => {
    const site = await framingSite();
    const { url } = await realServer({ HELPER__ENDPOINTS__EMBED__FRAMEANCESTORS: JSON.stringify(ancestors) });
    site.serve({ html: `<!doctype html><title>Evil</title><iframe src="${url}/helper/embed"></iframe>` });
    const { messages } = await pages.open(site.url);
    await expect.poll(() => messages.join('\n')).toContain('frame-ancestors');
  });

  // proves wire-6-60
  it('a page of the server itself may by default', async () => {
    const { url } = await realServer();
    const { page } = await pages.open(`${url}/healthz`);
    // The policy of this answer allows no frames. The test therefore serves a page without a policy at the same origin.
    await page.route('**/frame.html', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<!doctype html><iframe src="${url}/helper/embed"></iframe>` }),
    );
    await page.goto(`${url}/frame.html`);
    await page.frameLocator('iframe').locator('dialog.panel').waitFor();
  });

  // proves wire-9-64
  it('messages of other windows and of other origins are not looked at, and neither are other versions and types', async () => {
    const site = await framingSite();
    const { url } = await realServer(framedBy(site));
    const { page, frame, tell, heard } = await openFramed(pages, site, url);
    // A valid message follows each of these messages. When the valid one takes effect, the page has handled the one before.
    const sendAll = [
      // A window of the right origin that does not frame the page.
      `const other = document.body.appendChild(document.createElement('iframe'));
       other.contentWindow.eval("parent.document.getElementById('chat').contentWindow.postMessage(" +
         JSON.stringify({ v: 1, type: 'send', payload: { text: 'From a neighbour' } }) + ", '*')");`,
      `chat.postMessage({ v: 2, type: 'send', payload: { text: 'Another version' } }, '*')`,
      `chat.postMessage({ type: 'send', payload: { text: 'No version' } }, '*')`,
      `chat.postMessage({ v: 1, type: 'constructor', payload: { text: 'No type' } }, '*')`,
      `chat.postMessage({ v: 1, type: 'eval', payload: { text: 'No type' } }, '*')`,
      `chat.postMessage({ v: 1, type: 'send', payload: ['A list'] }, '*')`,
      `chat.postMessage({ v: 1, type: 'send', payload: { text: 'x'.repeat(70000) } }, '*')`,
      `chat.postMessage({ v: 1, id: 5, type: 'send', payload: { text: 'An odd id' } }, '*')`,
      `chat.postMessage({ v: 1, type: 'getToken', id: 'h1', payload: { token: 'not asked for' } }, '*')`,
      `chat.postMessage('{"v":1', '*')`,
      `chat.postMessage(null, '*')`,
      `chat.postMessage({ v: 1, type: 'send', payload: { big: 5n } }, '*')`,
      `{ const round = { v: 1, type: 'send' }; round.payload = { text: 'Round', round }; chat.postMessage(round, '*'); }`,
    ];
    for (const send of sendAll) await page.evaluate(`{ ${send} }; null`);
    await tell('setTheme', { theme: 'Dark' });
    await expect.poll(() => frame.locator('.root').getAttribute('class')).toContain('theme-Dark');
    await expect.poll(() => frame.locator('.message').count()).toBe(0);
    expect(await heard('error')).toEqual([]);
  });

  it('a site that the frame itself has let in cannot speak for the host', async () => {
    const site = await framingSite();
    const { url } = await realServer(framedBy(site));
    const { page, frame, tell } = await openFramed(pages, site, url);
    // A message that is sent inside the frame comes from the wrong window and the wrong origin.
    await frame.evaluate(`window.postMessage({ v: 1, type: 'send', payload: { text: 'From inside' } }, '*')`);
    await tell('setTheme', { theme: 'Dark' });
    await expect.poll(() => frame.locator('.root').getAttribute('class')).toContain('theme-Dark');
    await expect.poll(() => frame.locator('.message').count()).toBe(0);
    expect(await page.evaluate('heard.filter(({ v }) => v !== 1)')).toEqual([]);
  });
});
