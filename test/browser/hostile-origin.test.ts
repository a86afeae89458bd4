import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { type Attempt, openHostilePage } from '../support/hostile-page.ts';
import { type HostPage, hostPage } from '../support/host-page.ts';
import { openTill } from '../support/till.ts';

/** The attempts of a website, and the server's answers to them. */
const attempts: readonly Attempt[] = (
  [
    ['a form of text that looks like JSON', `form(chat, 'text/plain', '{"message":"look"}')`, 'POST /helper/chat 403'],
    [
      'a form of fields',
      `form(chat, 'application/x-www-form-urlencoded', '{"message":"look"}')`,
      'POST /helper/chat 403',
    ],
    ['a form of parts', `form(chat, 'multipart/form-data', '{"message":"look"}')`, 'POST /helper/chat 403'],
    ['a form that approves', `form(approve, 'text/plain', answer)`, 'POST /helper/approve 403'],
    [
      'a form that stops',
      `form(server + '/helper/cancel', 'text/plain', JSON.stringify({ turnId: ids.turnId }))`,
      'POST /helper/cancel 403',
    ],
    ['a form sent on by a redirect', `form('/redirect', 'text/plain', answer)`, 'POST /helper/approve 403'],
    ['fetch of text', `await post(approve, answer, 'text/plain')`, 'POST /helper/approve 403'],
    ['fetch of no type', `await post(approve, answer, '')`, 'POST /helper/approve 403'],
    ['a beacon', `navigator.sendBeacon(approve, answer)`, 'POST /helper/approve 403'],
    ['fetch of JSON', `await post(approve, answer, 'application/json', 'cors')`, 'OPTIONS /helper/approve 204'],
    ['fetch of a question', `await post(chat, '{"message":"look"}', 'text/plain')`, 'POST /helper/chat 403'],
    ['fetch of an answer', `await send(chat + '?message=look')`, 'GET /helper/chat 403'],
    ['fetch that does not read', `await send(chat + '?message=look', { mode: 'no-cors' })`, 'GET /helper/chat 403'],
    [
      'EventSource',
      `await ended(new EventSource(chat + '?message=look', { withCredentials: true }), 'error')`,
      'GET /helper/chat 403',
    ],
    ['an image', `await ended(element('img', { src: chat + '?message=look' }), 'error')`, 'GET /helper/chat 403'],
    ['a script', `await ended(element('script', { src: chat + '?message=look' }), 'error')`, 'GET /helper/chat 403'],
    [
      'a stylesheet',
      `await ended(element('link', { rel: 'stylesheet', href: chat + '?message=look' }), 'error')`,
      'GET /helper/chat 403',
    ],
    ['a frame', `element('iframe', { src: chat + '?message=look' })`, 'GET /helper/chat 403'],
    [
      'a frame of no origin',
      `element('iframe', { sandbox: 'allow-scripts', srcdoc: '<script>fetch(' + JSON.stringify(chat + '?message=look') + ')</script>' })`,
      'GET /helper/chat 403',
    ],
    ['a link', `element('a', { href: chat + '?message=look' }).click()`, 'GET /helper/chat 403'],
    [
      'a link without a Referer',
      `element('a', { href: chat + '?message=look', rel: 'noreferrer' }).click()`,
      'GET /helper/chat 403',
    ],
    [
      'WebSocket',
      `await ended(new WebSocket(server.replace('http', 'ws') + '/helper-hub'), 'error')`,
      'GET /helper-hub 403',
    ],
    [
      'negotiate',
      `await post(server + '/helper-hub/negotiate?negotiateVersion=1', '', 'text/plain')`,
      'POST /helper-hub/negotiate 403',
    ],
    [
      'an event stream of the hub',
      `await ended(new EventSource(server + '/helper-hub?id=x', { withCredentials: true }), 'error')`,
      'GET /helper-hub 403',
    ],
    ['bytes to the hub', `await post(server + '/helper-hub?id=x', '{}', 'text/plain')`, 'POST /helper-hub 403'],
    ['refresh', `await post(server + '/helper-hub/refresh?id=x', '', 'text/plain')`, 'POST /helper-hub/refresh 403'],
    ['session', `await send(server + '/helper/session?connectionId=x')`, 'GET /helper/session 403'],
  ] as const
).map(([title, code, answer]) => ({ title, code, answer }));

/** A website on that name of this machine, which sends a form on to the server at `url`. */
async function website(name: string, url: string): Promise<HostPage> {
  const site = await hostPage(name);
  site.serve({
    html: '<!doctype html><html lang="en"><head><title>Win a prize</title></head><body></body></html>',
    files: { '/redirect': { status: 307, headers: { location: `${url}/helper/approve` } } },
  });
  return site;
}

describeInBrowser(
  'a website with the cookies of a user (contract/doors.md)',
  (pages) => {
    // proves wire-1-70
    it.each([
      ['another site', '127.0.0.1'],
      // This page is same-site. The browser therefore sends the cookie with every value of SameSite.
      ['a neighbour on another port', 'localhost'],
    ])('that is not listed runs nothing, whatever it tries: %s', async (_title, name) => {
      const till = await openTill();
      const { url } = await website(name, till.url);
      const tries = await openHostilePage(pages, { till, url });
      for (const attempt of attempts) await tries(attempt);
      await till.expectUntouched();
    });

    // proves wire-1-70
    it('runs nothing where all are listed, without credentials', async () => {
      const till = await openTill({ origins: ['*'], credentials: false });
      const { url } = await website('127.0.0.1', till.url);
      // A frame without an origin sends no cookie. A server that allows all websites lets such a frame chat anonymously, so that attempt is
      // left out.
      const signedIn = attempts.filter(
        ({ title, answer }) => title !== 'a frame of no origin' && /^GET \/helper(\/chat|-hub) 403$/.test(answer),
      );
      const tries = await openHostilePage(pages, { till, url });
      for (const attempt of signedIn) await tries(attempt);
      await till.expectUntouched();
    });

    // proves wire-1-70
    it('that is listed chats as that user: the cookie is sent, and counts', async () => {
      const site = await hostPage();
      const till = await openTill({ origins: [site.origin] });
      const code = `await post(chat, '{"message":"look"}', 'application/json', 'cors').then((response) => response.text())`;
      const tries = await openHostilePage(pages, { till, url: site.url });
      await tries({ title: 'fetch of an answer', code, answer: 'OPTIONS /helper/chat 204, POST /helper/chat 200' });
      // A link can also make a GET, so a GET is refused.
      const get = `await send(chat + '?message=look').then((response) => response.text())`;
      await tries({ title: 'a GET of an answer', code: get, answer: 'GET /helper/chat 403' });
      expect(till.done()).toBe('look by ann;');
    });
  },
  { thirdPartyCookies: true },
);
