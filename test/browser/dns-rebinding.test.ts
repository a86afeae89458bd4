import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { openHostilePage } from '../support/hostile-page.ts';
import { openTill } from '../support/till.ts';

const json = `'application/json', 'same-origin'`;
/** The requests that a page of this server makes. */
const requests = [
  ['a question by GET', `await send(chat + '?message=look').then((answer) => answer?.text())`, 'GET /helper/chat'],
  ['a question by POST', `await post(chat, '{"message":"look"}', ${json})`, 'POST /helper/chat'],
  ['an approval', `await post(approve, answer, ${json})`, 'POST /helper/approve'],
  [
    'Stop',
    `await post(server + '/helper/cancel', JSON.stringify({ turnId: ids.turnId }), ${json})`,
    'POST /helper/cancel',
  ],
  ['the session', `await send(server + '/helper/session?connectionId=x')`, 'GET /helper/session'],
  [
    'negotiate',
    `await post(server + '/helper-hub/negotiate?negotiateVersion=1', '', '')`,
    'POST /helper-hub/negotiate',
  ],
  ['refresh', `await post(server + '/helper-hub/refresh?id=x', '', '')`, 'POST /helper-hub/refresh'],
  ['polls', `await send(server + '/helper-hub?id=x')`, 'GET /helper-hub'],
  ['the end of polls', `await send(server + '/helper-hub?id=x', { method: 'DELETE' })`, 'DELETE /helper-hub'],
  [
    'WebSocket',
    `await ended(new WebSocket(server.replace('http', 'ws') + '/helper-hub'), 'error', 'open')`,
    'GET /helper-hub',
  ],
] as const;

describeInBrowser(
  'a website whose name was made to lead to this machine (contract/identity.md#whose-it-is)',
  (pages) => {
    // proves wire-1-15
    it('is refused everything, though the browser takes it for this server', async () => {
      const till = await openTill();
      const evil = till.url.replace('localhost', 'evil.example');
      const tries = await openHostilePage(pages, { till, url: evil, at: evil });
      for (const [title, code, request] of requests) await tries({ title, code, answer: `${request} 403` });
      await till.expectUntouched();
    });

    it('would be answered under a name of loopback', async () => {
      const till = await openTill();
      const tries = await openHostilePage(pages, { till, url: till.url });
      const [[title, code, request]] = requests;
      await tries({ title, code, answer: `${request} 200` });
      expect(till.done()).toBe('look by ann;');
    });
  },
  { flags: ['--host-resolver-rules=MAP evil.example 127.0.0.1'] },
);
