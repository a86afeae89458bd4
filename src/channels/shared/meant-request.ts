import type { FastifyRequest } from 'fastify';
import { HelperError } from '../../core/errors/helper-error.ts';

/**
 * Throws HelperError `forbidden` for a GET that no program and no script of a page has meant: a browser makes such requests when it follows
 * a link, shows a picture or fetches ahead, and whoever writes a text can write an address into it. Whoever is signed in makes no difference.
 */
export function checkMeant({ headers }: Pick<FastifyRequest, 'headers'>): void {
  if (!isUnmeant(headers)) return;
  throw new HelperError(
    'forbidden',
    'A link, a picture or a prefetch begins no turn: the address must be asked by EventSource, by fetch or by a program.',
    { refusal: 'origin' },
  );
}

function isUnmeant(headers: FastifyRequest['headers']): boolean {
  const { 'sec-fetch-dest': destination, 'sec-fetch-mode': mode } = headers;
  // A prefetch looks like fetch otherwise. The headers without `Sec-` are those of older browsers.
  const purposes = [headers['sec-purpose'], headers['purpose'], headers['x-purpose'], headers['x-moz']];
  if (purposes.some((purpose) => /prefetch|prerender|preview/i.test(String(purpose ?? '')))) return true;
  // Some programs send a mode without a destination.
  if (destination !== undefined || mode !== undefined)
    return (destination ?? 'empty') !== 'empty' || mode === 'navigate' || mode === 'no-cors';
  // Over plain HTTP, browsers tell other machines none of this. A navigation and a picture still have headers that programs do not send.
  return headers['upgrade-insecure-requests'] !== undefined || /^\s{0,9}image\//i.test(headers.accept ?? '');
}
