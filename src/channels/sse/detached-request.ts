import type { FastifyRequest } from 'fastify';
import { HelperError } from '../../core/errors/helper-error.ts';
import type { DetachedTurn } from '../../core/request/turn-request.ts';
import type { ChatBody } from '../../wire/chat-body.ts';

/** What a request may ask for beside an answer in a stream (contract/sse.md#detached-turns). */
export interface DetachedRules {
  /** `server.durableTurns`: whether a turn outlives its process. */
  readonly isOn: boolean;
  /** Why an address may not be told of ends, in words for its sender. Undefined: it may. */
  readonly webhookFault: (address: string) => string | undefined;
}

/**
 * How a request wants its turn to go on without a reader. Undefined: the answer is a stream.
 * @throws HelperError `invalid_request` for an address that cannot be told.
 */
export function detachedBy(
  { headers, body }: Pick<FastifyRequest<{ Body: ChatBody }>, 'headers' | 'body'>,
  { isOn, webhookFault }: DetachedRules,
): DetachedTurn | undefined {
  const { webhook } = body;
  const isAsked = isOn && prefersAsync(headers['prefer']);
  if (webhook === undefined) return isAsked ? {} : undefined;
  if (!isAsked)
    throw new HelperError(
      'invalid_request',
      'webhook needs Prefer: respond-async, and server.durableTurns on the server.',
    );
  const fault = webhookFault(webhook);
  if (fault !== undefined) throw new HelperError('invalid_request', `webhook ${fault}.`);
  return { webhook };
}

/** Preferences are separated by commas, and their parameters by semicolons (RFC 7240, 2). */
function prefersAsync(prefer: string | readonly string[] | undefined): boolean {
  const preferences = [prefer ?? []].flat().join(',').split(',');
  return preferences.some((preference) => preference.split(';', 1)[0]?.trim().toLowerCase() === 'respond-async');
}
