import { ask } from '../../support/ask.ts';
import { begunTurns } from '../../support/stress/begun-turns.ts';
import type { StressCase } from '../../support/stress/stress-case.ts';
import { tally } from '../../support/stress/tally.ts';
import { makeToken, tokenSecret } from '../../support/tokens.ts';

const cookie = `app_token=${await makeToken({ sub: 'ann' })}`;
const json = { 'content-type': 'application/json' };
const upgrade = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
};
const message = 'sent by a website';

/** Every address that can drive the server. */
const endpoints: readonly { readonly what: string; readonly headers?: object; readonly body?: object }[] = [
  { what: `GET /helper/chat?message=${encodeURIComponent(message)}` },
  { what: 'POST /helper/chat', headers: json, body: { message } },
  { what: 'POST /helper/approve', headers: json, body: { actionId: 'x', approved: true } },
  { what: 'POST /helper/cancel', headers: json, body: { turnId: 'x' } },
  { what: 'GET /helper/session?connectionId=x' },
  { what: 'POST /helper-hub/negotiate?negotiateVersion=1' },
  { what: 'GET /helper-hub', headers: upgrade },
];

/** The headers that a browser sends for a page of another website. */
const pages: readonly Readonly<Record<string, string>>[] = [
  { host: 'evil.example' },
  { host: 'evil.example:8080', origin: 'http://evil.example:8080', 'sec-fetch-site': 'same-origin', cookie },
  { host: 'localhost.evil.example' },
  { 'sec-fetch-site': 'cross-site', cookie },
  { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', cookie },
];
const rounds = 10;

export const foreignWebsites: StressCase = {
  name: 'foreign websites',
  attack:
    'pages of other websites, under a name that leads here (DNS rebinding) or cross-site with the user’s cookie, ask every address that can drive the server',
  promise: '403 `forbidden`, and no turn begins',
  server: { settings: { auth: { jwt: { secret: tokenSecret, cookie: 'app_token' } } } },
  async play({ url, model }, must) {
    const statuses: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      for (const page of pages) {
        for (const { what, headers, body } of endpoints) {
          const { status } = await ask(url, what, {
            headers: { ...headers, ...page },
            ...(body === undefined ? {} : { body }),
          });
          must(status === 403, `${what} was answered ${String(status)} with ${JSON.stringify(page)}`);
          statuses.push(status);
        }
      }
    }
    const begun = begunTurns(model, message);
    must(begun === 0, `${String(begun)} turns began`);
    const own = await ask(url, `GET /helper/chat?message=${encodeURIComponent(message)}`, {
      headers: { 'sec-fetch-site': 'same-origin', cookie },
    });
    must(own.status === 200, `a page of the server itself was answered ${String(own.status)}`);
    return `${tally(statuses)}; no turn began`;
  },
};
