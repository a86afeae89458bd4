import type { FastifyRequest } from 'fastify';
import { HelperError } from '../../core/errors/helper-error.ts';

type Headers = FastifyRequest['headers'];

/**
 * Throws HelperError `forbidden` for a GET that no program and no script of a page has meant: a browser makes such requests when it follows
 * a link, shows a picture or fetches ahead, and whoever writes a text can write an address into it. Whoever is signed in makes no difference.
 */
export function checkMeant({ headers, host }: Pick<FastifyRequest, 'headers' | 'host'>): void {
  if (!isUnmeant(headers, host)) return;
  throw new HelperError(
    'forbidden',
    'A link, a picture or a prefetch begins no turn: the address must be asked by EventSource, by fetch or by a program.',
    { refusal: 'origin' },
  );
}

function isUnmeant(headers: Headers, host: string): boolean {
  const { 'sec-fetch-dest': destination, 'sec-fetch-mode': mode } = headers;
  // A prefetch looks like fetch otherwise. The headers without `Sec-` are those of older browsers.
  const purposes = [headers['sec-purpose'], headers['purpose'], headers['x-purpose'], headers['x-moz']];
  if (purposes.some((purpose) => /prefetch|prerender|preview/i.test(String(purpose ?? '')))) return true;
  // Some programs send a mode without a destination.
  if (destination !== undefined || mode !== undefined)
    return (destination ?? 'empty') !== 'empty' || mode === 'navigate' || mode === 'no-cors';
  // Over plain HTTP, browsers tell other machines none of this. A navigation and a picture still have headers that programs do not send.
  if (headers['upgrade-insecure-requests'] !== undefined || /^\s{0,9}image\//i.test(headers.accept ?? '')) return true;
  return headers.origin === undefined && isOfNoPageHere(headers, host);
}

/**
 * Whether a browser asks for something else than a script of a page of this server. It loads scripts, sounds and styles for other websites
 * without naming their origin, and with a `Referer` unless they forbid it. EventSource of other websites names its origin.
 */
function isOfNoPageHere({ referer, accept = '', 'user-agent': agent = '' }: Headers, host: string): boolean {
  if (referer !== undefined) return URL.parse(referer)?.host !== host.toLowerCase();
  return /^mozilla\//i.test(agent) && !accept.includes('text/event-stream');
}
