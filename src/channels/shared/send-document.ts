import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Admission } from './admit-requests.ts';
import type { DescribedAnswer } from './describe-endpoint.ts';
import { matchesEtag } from './etag.ts';

/** Sends JSON that is the same for everyone, so that any cache may keep it (contract/addresses.md#answers). */
export function sendDocument(request: FastifyRequest, reply: FastifyReply, text: string): FastifyReply {
  const etag = etagOf(text);
  void reply.header('cache-control', 'no-cache').header('etag', etag);
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
  return reply.type('application/json; charset=utf-8').send(text);
}

/** The validator of a text. Different texts have different validators. */
export function etagOf(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
}

/** The answer to a client that already has the content. */
export const notModified: DescribedAnswer = {
  description: 'What the client has, by `If-None-Match`, is what there is.',
};

/** Refuses a token that is not valid with 401, also on routes that everybody may read (contract/identity.md#tokens). */
export function refuseBadToken({ identity, security }: Pick<Admission, 'identity' | 'security'>): onRequestHookHandler {
  return (request, _reply, next) => {
    const caller = identity.read(request);
    if (!(caller instanceof Promise)) {
      next();
      return;
    }
    caller.then(
      () => next(),
      (error: unknown) => {
        security.noteRefusal(request, error);
        next(error instanceof Error ? error : new Error(String(error)));
      },
    );
  };
}
