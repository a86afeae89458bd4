import { ask } from '../../support/ask.ts';
import { confirmingSettings } from '../../support/mcp/confirming-server.ts';
import type { StressCase } from '../../support/stress/stress-case.ts';
import { tally } from '../../support/stress/tally.ts';

/** Node takes heads of 16 KiB. */
const length = 15_000;
const limitMs = 50;
/** A busy machine delays a single try. A header that is costly delays all of them. */
const tries = 20;

const addresses = ['GET /helper/confirm/x', 'POST /helper/chat', 'POST /mcp', 'GET /helper/embed', 'GET /healthz'];

/** What stands before the costly part of a header, where it is read only then. */
const names: Readonly<Record<string, string>> = {
  'accept-language': '',
  authorization: 'Bearer ',
  accept: '',
  'accept-encoding': '',
  cookie: 'session=',
  'content-type': 'application/json; ',
  origin: 'https://',
  referer: 'https://',
  'if-none-match': '',
  'x-forwarded-for': '',
  forwarded: 'for=',
  traceparent: '00-',
  tracestate: '',
  baggage: '',
  'last-event-id': '',
  'sec-purpose': '',
  'user-agent': '',
  'x-request-id': '',
};

/** Texts for which a pattern tries many ways. */
const fillings = ['a', ' ', '\t', ',', ';', ' ; ', 'a,', 'a;q=', '=', '"\\', '-a', '.', '/*'];
const texts = fillings.map((filling) => `a${filling.repeat(length).slice(0, length)}!`);

export const costlyHeaders: StressCase = {
  name: 'costly headers',
  attack: `${String(Object.keys(names).length)} headers of ${String(length)} characters that many patterns could read in many ways, on ${String(addresses.length)} addresses, before anybody is known`,
  once: 'each stopped everybody’s turns for 235 ms',
  promise: `each is answered within ${String(limitMs)} ms`,
  server: { settings: { ...confirmingSettings, server: { publicUrl: 'https://shop.example.com' } } },
  async play({ url }, must) {
    const statuses: number[] = [];
    let slowest = 0;
    for (const address of addresses) {
      for (const [name, before] of Object.entries(names)) {
        for (const text of texts) {
          const { tookMs, status } = await fastest(url, address, { [name]: before + text });
          must(
            tookMs < limitMs,
            `${address} took ${tookMs.toFixed(0)} ms with ${name}: ${before}${text.slice(0, 10)}…`,
          );
          must(status < 500, `${address} was answered ${String(status)} with ${name}: ${before}${text.slice(0, 10)}…`);
          slowest = Math.max(slowest, tookMs);
          statuses.push(status);
        }
      }
    }
    return `${tally(statuses)}; the slowest took ${slowest.toFixed(0)} ms`;
  },
};

async function fastest(
  url: string,
  address: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly tookMs: number; readonly status: number }> {
  let best = { tookMs: Number.POSITIVE_INFINITY, status: 0 };
  for (let count = 0; count < tries && best.tookMs >= limitMs; count += 1) {
    const startedAt = performance.now();
    const { status } = await ask(url, address, { headers });
    const tookMs = performance.now() - startedAt;
    if (tookMs < best.tookMs) best = { tookMs, status };
  }
  return best;
}
