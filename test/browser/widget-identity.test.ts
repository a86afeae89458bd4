import { expect, it } from 'vitest';
import type { JWTPayload } from 'jose';
import { describeInBrowser, type Pages, type WidgetPage } from '../support/browser.ts';
import { cuttingProxy } from '../support/cutting-proxy.ts';
import { hostPage } from '../support/host-page.ts';
import { realServer } from '../support/real-server.ts';
import { saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';
import { blocksIn } from '../unit/docs/pages.ts';

/** Tokens and no cookie. */
const overrides = { HELPER__AUTH__JWT__SECRET: tokenSecret };

interface SignedInPage extends WidgetPage {
  /** Sets the answer of the page's function: a token, or the text of an expression. */
  readonly answerWith: (answer: { readonly token: string } | { readonly expression: string }) => Promise<void>;
}

/** A page that gives its widget a token function. The test sets the function's answer. */
async function openSignedIn(pages: Pages, url: string, token: string): Promise<SignedInPage> {
  const widgetPage = await pages.open(url);
  const { page } = widgetPage;
  const answerWith: SignedInPage['answerWith'] = async (answer) => {
    await page.evaluate(
      `window.answer = () => ${'token' in answer ? JSON.stringify(answer.token) : `(${answer.expression})`}`,
    );
  };
  await answerWith({ token });
  await page.evaluate(`window.asked = 0; HelperWidget.setTokenProvider(async () => { asked += 1; return answer(); })`);
  return { ...widgetPage, answerWith };
}

const inSeconds = (seconds: number): number => Math.ceil(Date.now() / 1000) + seconds;

const ann = { sub: 'ann', name: 'Ann', role: 'Supervisor' };
const refund = 'Refund order 1001, amount 5';

function bob(claims: JWTPayload = {}): Promise<string> {
  return makeToken({ sub: 'bob', name: 'Bob', ...claims });
}

describeInBrowser(
  'the widget of a user with a token (contract/identity.md, contract/widget.md#who-is-signed-in)',
  (pages) => {
    // proves service-2.20-01
    it('chats, asks and acts as that user, and the token is in no address but the hub’s (contract/identity.md#tokens)', async () => {
      const { url } = await realServer(overrides);
      const token = await makeToken(ann);
      const { page, panel, log, messages, openPanel, say } = await openSignedIn(pages, url, token);
      const requests: { path: string; inUrl: boolean; header: string | undefined; method: string }[] = [];
      const note = (method: string, address: string, header?: string): void => {
        const { pathname, search } = new URL(address);
        requests.push({ path: pathname, inUrl: search.includes(token), header, method });
      };
      page.on('request', (request) => note(request.method(), request.url(), request.headers()['authorization']));
      page.on('websocket', (socket) => note('GET', socket.url()));
      await openPanel();
      await say(refund);
      await panel.getByRole('button', { name: 'Approve' }).click();
      await log.locator('.confirmation.is-succeeded').waitFor();
      await panel.locator('.is-succeeded').waitFor();
      await expect.poll(() => requests.map(({ path }) => path)).toContain('/helper/session');
      const carried = requests.filter(
        ({ path, header, inUrl }) => inUrl || header !== undefined || /hub|approve/.test(path),
      );
      expect(carried).toEqual([
        { method: 'POST', path: '/helper-hub/negotiate', inUrl: false, header: `Bearer ${token}` },
        { method: 'GET', path: '/helper-hub', inUrl: true, header: undefined },
        { method: 'POST', path: '/helper/approve', inUrl: false, header: `Bearer ${token}` },
        { method: 'GET', path: '/helper/session', inUrl: false, header: `Bearer ${token}` },
      ]);
      const kept = await page.evaluate<string>(
        `JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, document.documentElement.outerHTML])`,
      );
      expect(kept).not.toContain(token);
      expect(messages).toEqual([]);
    });

    // proves service-2.20-03
    it.each([
      ['no function', null],
      ['a function that has no token', 'async () => null'],
    ])(
      'a page that gives %s is anonymous to the server: it may ask, and no role is its own',
      async (_title, provider) => {
        const { url } = await realServer(overrides);
        const { page, panel, log, openPanel, say } = await pages.open(url);
        if (provider !== null) await page.evaluate(`HelperWidget.setTokenProvider(${provider})`);
        const told: string[] = [];
        page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => told.push(payload.toString())));
        await openPanel();
        await say('Show me my open orders');
        await panel.locator('.card table').waitFor();
        expect(told.join('')).toContain('"user":{"isAuthenticated":false,"name":""}');
        await say(refund);
        await log.getByText('Supervisor').first().waitFor();
        await expect.poll(() => panel.getByRole('button', { name: 'Approve' }).count()).toBe(0);
      },
    );

    // proves wire-9-01
    it('another user begins anew: nothing of the former one is left on the screen or in the conversation (contract/widget.md#who-is-signed-in)', async () => {
      const { url, model } = await scriptedServer({
        scripts: [saying('Noted, Ann.'), saying('Hello Bob.')],
        overrides,
      });
      const { page, panel, log, composer, openPanel, say, answerWith } = await openSignedIn(
        pages,
        url,
        await makeToken(ann),
      );
      await openPanel();
      await say('My number is 4711');
      await log.getByText('Noted, Ann.').waitFor();
      await panel.getByRole('button', { name: 'Send' }).waitFor();
      await composer.fill('And my salary');
      await answerWith({ token: await bob() });
      await page.evaluate('HelperWidget.setTokenProvider(async () => answer())');
      await expect.poll(() => panel.locator('.message').count()).toBe(0);
      await expect.poll(() => panel.locator('.connection').count()).toBe(0);
      await expect.poll(() => composer.inputValue()).toBe('');
      // The arrow key must not bring the last message of the former user back either.
      await composer.press('ArrowUp');
      await expect.poll(() => composer.inputValue()).toBe('');
      await say('Who am I?');
      await log.getByText('Hello Bob.').waitFor();
      expect(JSON.stringify(model.requests[1]?.body['messages'])).not.toContain('4711');
      await expect.poll(() => log.getByText('4711').count()).toBe(0);
    });

    it('the same user with a new token goes on, and the page may say so twice', async () => {
      const { url, model } = await scriptedServer({ scripts: [saying('Noted.'), saying('It is 4711.')], overrides });
      const { page, panel, log, openPanel, say, answerWith } = await openSignedIn(pages, url, await makeToken(ann));
      await openPanel();
      await say('My number is 4711');
      await log.getByText('Noted.').waitFor();
      await panel.getByRole('button', { name: 'Send' }).waitFor();
      await answerWith({ token: await makeToken({ ...ann, jti: 'second' }) });
      await page.evaluate(
        'Promise.all([HelperWidget.setTokenProvider(() => answer()), HelperWidget.setTokenProvider(() => answer())])',
      );
      // A lost request is no reason either to forget a user whom the token names.
      await page.route('**/helper-hub/refresh**', (route) => route.abort());
      await page.evaluate('HelperWidget.setTokenProvider(() => answer())');
      await say('What is it?');
      await log.getByText('It is 4711.').waitFor();
      expect(JSON.stringify(model.requests[1]?.body['messages'])).toContain('My number is 4711');
    });

    it('the line was cut and comes back for somebody else: it is that user’s, and begins empty', async () => {
      const { url, model } = await scriptedServer({
        scripts: [saying('Noted, Ann.'), saying('Hello Bob.')],
        overrides,
      });
      const proxy = await cuttingProxy(url);
      const { panel, log, openPanel, say, answerWith } = await openSignedIn(pages, proxy.url, await makeToken(ann));
      await openPanel();
      await say('My number is 4711');
      await log.getByText('Noted, Ann.').waitFor();
      await answerWith({ token: await bob() });
      proxy.cut();
      await log.getByText('How can I help?').waitFor();
      await expect.poll(() => panel.locator('.message').count()).toBe(0);
      await say('Who am I?');
      await log.getByText('Hello Bob.').waitFor();
      expect(JSON.stringify(model.requests[1]?.body['messages'])).not.toContain('4711');
    });

    it('who signs out while the server is away leaves nothing on the screen', async () => {
      const { url } = await scriptedServer({ scripts: [saying('Noted, Ann.')], overrides });
      const proxy = await cuttingProxy(url);
      const { page, panel, log, openPanel, say } = await openSignedIn(pages, proxy.url, await makeToken(ann));
      await openPanel();
      await say('My number is 4711');
      await log.getByText('Noted, Ann.').waitFor();
      proxy.isDown = true;
      proxy.cut();
      await panel.getByText('Connection lost. Reconnecting…').waitFor();
      await page.evaluate('HelperWidget.setTokenProvider(null)');
      await expect.poll(() => panel.locator('.message').count()).toBe(0);
    });

    it('nothing is said while it is not known in whose name', async () => {
      const { url, model } = await scriptedServer({
        scripts: [saying('Noted, Ann.'), saying('Hello Bob.')],
        overrides,
      });
      const { page, log, openPanel, say } = await openSignedIn(pages, url, await makeToken(ann));
      await openPanel();
      await say('My number is 4711');
      await log.getByText('Noted, Ann.').waitFor();
      await page.evaluate(`
      window.gate = Promise.withResolvers();
      window.checked = HelperWidget.setTokenProvider(() => gate.promise);
      window.sent = HelperWidget.send('Said too early');
      null`);
      await log.getByText('Said too early').waitFor();
      await page.evaluate(`gate.resolve(${JSON.stringify(await bob())}); Promise.all([checked, sent])`);
      await log.getByText('How can I help?').waitFor();
      expect(model.requests).toHaveLength(1);
      await say('Who am I?');
      await log.getByText('Hello Bob.').waitFor();
    });

    it('a connection that the server has forgotten is no other user’s: the conversation stays', async () => {
      const { url } = await realServer({ ...overrides, HELPER__AUTH__JWT__CLOCKTOLERANCE: '0s' });
      const token = await makeToken(ann, { expiresAt: inSeconds(8) });
      const { page, panel, log, openPanel, say, answerWith } = await openSignedIn(pages, url, token);
      await page.route('**/helper-hub/refresh**', (route) => route.fulfill({ status: 404, json: {} }));
      const refreshed = page.waitForResponse('**/helper-hub/refresh?id=*');
      await page.evaluate(`window.heard = []; HelperWidget.on('status', ({ connection }) => heard.push(connection))`);
      await openPanel();
      await say('Hello');
      await log.locator('.from-bot .bubble').first().waitFor();
      await answerWith({ token: await makeToken(ann) });
      await refreshed;
      // The server ends the connection when the token ends. The widget connects again with the new token.
      await expect.poll(() => page.evaluate('heard')).toEqual(['connecting', 'connected', 'reconnecting', 'connected']);
      await expect.poll(() => panel.locator('.from-user').count()).toBe(1);
    });

    // proves wire-9-01
    it('who signs out takes everything along, an open question too', async () => {
      const { url } = await realServer(overrides);
      const { page, panel, log, openPanel, say } = await openSignedIn(pages, url, await makeToken(ann));
      await openPanel();
      await say(refund);
      await panel.locator('.confirmation').waitFor();
      await page.evaluate('HelperWidget.setTokenProvider(null)');
      await expect.poll(() => panel.locator('.confirmation, .message').count()).toBe(0);
      await say(refund);
      await panel.locator('.action-line.is-refused').waitFor();
      await expect.poll(() => log.getByText('Connection lost').count()).toBe(0);
    });

    // proves wire-3-46
    it('a token is renewed before it ends, so that the connection never drops (contract/hub.md#when-the-line-breaks)', async () => {
      const { url } = await realServer({ ...overrides, HELPER__AUTH__JWT__CLOCKTOLERANCE: '0s' });
      const endsAt = inSeconds(12);
      const { page, log, openPanel, say, answerWith } = await openSignedIn(
        pages,
        url,
        await makeToken(ann, { expiresAt: endsAt }),
      );
      await page.evaluate(`window.heard = []; HelperWidget.on('status', ({ connection }) => heard.push(connection))`);
      await openPanel();
      await say('Hello');
      await log.locator('.from-bot .bubble').first().waitFor();
      const second = await makeToken(ann, { expiresAt: inSeconds(3600) });
      const refreshed = page.waitForResponse('**/helper-hub/refresh?id=*');
      await answerWith({ token: second });
      const refresh = await refreshed;
      expect(refresh.status()).toBe(200);
      expect(refresh.request().headers()['authorization']).toBe(`Bearer ${second}`);
      expect(refresh.url()).not.toContain(second);
      // eslint-disable-next-line house/no-wall-time -- the token with which the connection began has to be over, by the server's clock.
      await expect.poll(() => Date.now()).toBeGreaterThan((endsAt + 1) * 1000);
      await say('Show me my open orders');
      await log.locator('.card table').waitFor();
      expect(await page.evaluate('heard')).toEqual(['connecting', 'connected']);
    });

    it.each([
      ['a token that has ended', async () => JSON.stringify(await makeToken(ann, { expiresAt: inSeconds(-3600) }))],
      ['a token of somebody else’s making', async () => JSON.stringify(await makeToken(ann, { key: 'x'.repeat(40) }))],
      ['a fault', async () => `(() => { throw new Error('no network') })()`],
      ['something that is no token', async () => '({ token: 5 })'],
    ])(
      'a page that has %s is told in words, and can try again (contract/identity.md#whose-it-is)',
      async (_title, expression) => {
        const { url } = await realServer(overrides);
        const { page, panel, log, openPanel, say, answerWith } = await openSignedIn(pages, url, '');
        await answerWith({ expression: await expression() });
        await page.evaluate(`window.errors = []; HelperWidget.on('error', ({ code }) => errors.push(code))`);
        await openPanel();
        await say('Show me my open orders');
        await log.getByText('You are not signed in, or your sign-in has ended.').waitFor();
        expect(await page.evaluate('[asked, errors]')).toEqual([1, ['unauthenticated']]);
        await answerWith({ token: await makeToken(ann) });
        await panel.getByRole('button', { name: 'Try again' }).click();
        await panel.locator('.card table').waitFor();
      },
    );

    it('an answer without a valid token is not lost: the box says so and stays open (contract/confirmations.md#answering)', async () => {
      const { url } = await realServer(overrides);
      const { panel, log, openPanel, say, answerWith } = await openSignedIn(pages, url, await makeToken(ann));
      await openPanel();
      await say(refund);
      const approve = panel.getByRole('button', { name: 'Approve' });
      await approve.waitFor();
      await answerWith({ expression: 'Promise.reject(new Error())' });
      await approve.click();
      await log.getByText('You are not signed in, or your sign-in has ended.').waitFor();
      await answerWith({ token: await bob() });
      await approve.click();
      await log.getByText('This was not accepted:').waitFor();
      await answerWith({ token: await makeToken(ann) });
      await approve.click();
      await log.locator('.confirmation.is-succeeded').waitFor();
    });

    // proves wire-9-02
    it('a page on another origin signs in as its guide shows (docs/guides/widget.md)', async () => {
      const site = await hostPage();
      const { url } = await realServer({ ...overrides, HELPER__CORS__DEFAULT__ORIGINS: JSON.stringify([site.origin]) });
      const example = blocksIn('html').find(({ code }) => code.includes('setTokenProvider'))?.code ?? '';
      expect(example).toContain('https://assist.example.com');
      site.serve({ html: `<!doctype html><title>Shop</title>${example.replace('https://assist.example.com', url)}` });
      const { page, panel, log, messages, openPanel, say } = await pages.open(site.url);
      const token = await makeToken(ann);
      await page.route('**/helper-token', (route) => route.fulfill({ json: { token } }));
      await openPanel();
      await say(refund);
      await panel.getByRole('button', { name: 'Approve' }).click();
      await log.locator('.confirmation.is-succeeded').waitFor();
      expect(messages.filter((message) => !message.includes('favicon'))).toEqual([]);
    });

    it('a wrong call of the page is the page’s fault alone', async () => {
      const { url } = await realServer();
      const { page, panel, openPanel, say } = await pages.open(url);
      // These calls wait for the panel, which then refuses them.
      await page.evaluate(
        `HelperWidget.setTokenProvider('a.b.c'); HelperWidget.setContext({ pageData: 'x'.repeat(9000) })`,
      );
      await openPanel();
      expect(await page.evaluate(`HelperWidget.setTokenProvider('a.b.c').catch(({ message }) => message)`)).toBe(
        'setTokenProvider takes a function or null',
      );
      await say('Show me my open orders');
      await panel.locator('.card table').waitFor();
    });
  },
);
