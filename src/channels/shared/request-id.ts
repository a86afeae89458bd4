import type { IncomingMessage } from 'node:http';
import { randomId } from '../../core/base/random-id.ts';

const wellFormed = /^[A-Za-z0-9._-]{1,64}$/;

/** The request's own id when it is well-formed, else a new one (contract/addresses.md#answers, `x-request-id`). */
export function requestId(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && wellFormed.test(given) ? given : randomId();
}
