import { ask } from '../../support/ask.ts';
import { begunTurns } from '../../support/stress/begun-turns.ts';
import type { StressCase } from '../../support/stress/stress-case.ts';
import { tally } from '../../support/stress/tally.ts';
import { makeToken, tokenSecret } from '../../support/tokens.ts';

type Headers = Readonly<Record<string, string>>;

const token = await makeToken({ sub: 'ann' });
const signedIn: Headers = { authorization: `Bearer ${token}` };
const callers: readonly Headers[] = [{}, { cookie: `app_token=${token}` }, signedIn];

/** The headers of fetch metadata, for a page of the server itself. */
const metadata = (mode: string, destination: string): Headers => ({
  'sec-fetch-site': 'same-origin',
  'sec-fetch-mode': mode,
  'sec-fetch-dest': destination,
});
const byFetch = metadata('cors', 'empty');

/** What a browser sends for an address that stands in a text: as a link, a picture, something else that it loads, and ahead of time. */
const unmeant: Readonly<Record<string, Headers>> = {
  'a link': { ...metadata('navigate', 'document'), 'sec-fetch-user': '?1' },
  'an address in the address bar': { ...metadata('navigate', 'document'), 'sec-fetch-site': 'none' },
  'a frame': metadata('navigate', 'iframe'),
  'a picture': metadata('no-cors', 'image'),
  'a picture with crossorigin': metadata('cors', 'image'),
  'a script': metadata('no-cors', 'script'),
  'a style sheet': metadata('no-cors', 'style'),
  'a font': metadata('cors', 'font'),
  'a sound': metadata('no-cors', 'audio'),
  'a worker': metadata('same-origin', 'worker'),
  'fetch without an answer': metadata('no-cors', 'empty'),
  'a prefetch': { ...byFetch, 'sec-purpose': 'prefetch' },
  'a prerendered page': { ...metadata('navigate', 'document'), 'sec-purpose': 'prefetch;prerender' },
  'a prefetch of older browsers': { purpose: 'prefetch' },
  'a prefetch of Firefox': { 'x-moz': 'prefetch' },
  'a link over plain HTTP': { 'upgrade-insecure-requests': '1', accept: 'text/html,*/*;q=0.8' },
  'a script of another website over plain HTTP': { accept: '*/*', referer: 'http://evil.example/' },
  'a sound of one that names no page': { accept: '*/*', 'user-agent': 'Mozilla/5.0' },
  'a picture over plain HTTP': { accept: 'image/avif,image/webp,*/*;q=0.8' },
};

/** What the scripts of pages send, for every caller. */
const scripts: Readonly<Record<string, Headers>> = {
  EventSource: { ...byFetch, accept: 'text/event-stream' },
  fetch: metadata('same-origin', 'empty'),
};

/** What programs send, which have no cookie. */
const programs: Readonly<Record<string, Headers>> = {
  'a program': {},
  'a program with a token': signedIn,
  'fetch of Node': { ...signedIn, 'sec-fetch-mode': 'cors', accept: '*/*' },
};

const stranger = 'begun by a browser';
const honest = 'begun by a program';
const rounds = 5;

export const unmeantTurns: StressCase = {
  name: 'turns nobody meant',
  attack:
    'a browser asks `GET /helper/chat` by itself, for an anonymous and a signed-in user: links, frames, pictures, scripts, sounds, workers, prefetches, with and without fetch metadata',
  once: 'one click, or none, began a turn whose words counted as the user’s',
  promise: '403 `forbidden`, and no turn begins; EventSource, `fetch` and programs begin theirs',
  server: { settings: { auth: { jwt: { secret: tokenSecret, cookie: 'app_token' } } } },
  async play({ url, model }, must) {
    const begin = async (message: string, headers: Headers): Promise<number> =>
      (await ask(url, `GET /helper/chat?message=${encodeURIComponent(message)}`, { headers })).status;
    const refused: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      for (const caller of callers) {
        for (const [what, headers] of Object.entries(unmeant)) {
          const status = await begin(stranger, { ...caller, ...headers });
          must(
            status === 403,
            `${what} was answered ${String(status)} with ${Object.keys(caller).join() || 'no token'}`,
          );
          refused.push(status);
        }
      }
    }
    const begun = begunTurns(model, stranger);
    must(begun === 0, `${String(begun)} turns began`);
    const meant = [
      ...callers.flatMap((caller) =>
        Object.entries(scripts).map(([what, sent]) => [what, { ...caller, ...sent }] as const),
      ),
      ...Object.entries(programs),
    ];
    const served: number[] = [];
    for (const [what, headers] of meant) {
      const status = await begin(honest, headers);
      must(status === 200, `${what} was answered ${String(status)}`);
      served.push(status);
    }
    const own = begunTurns(model, honest);
    must(own === served.length, `${String(own)} turns of ${String(served.length)} began`);
    return `${tally(refused)}, no turn began; ${tally(served)} for scripts and programs`;
  },
};
