import { createHash } from 'node:crypto';
import type { FastifyPluginCallback } from 'fastify';
import type { Tour } from '../../wire/tour.ts';
import type { Admission } from '../shared/admit-requests.ts';
import { answersHead } from '../shared/answers-head.ts';
import { matchesEtag } from '../shared/etag.ts';

export interface TourChannelOptions {
  /** `server.basePath`. */
  readonly basePath: string;
  /** The tour of now: a callback may offer other pages later. */
  readonly tour: () => Tour;
  readonly admission: Pick<Admission, 'identity' | 'security'>;
}

/**
 * `GET /helper/tour` (wire.md 6): open on purpose and the same for everyone, so that any cache may keep it. A token that is
 * not valid is 401 here as everywhere.
 */
export const tourChannel: FastifyPluginCallback<TourChannelOptions> = (app, options, done) => {
  const { identity, security } = options.admission;
  app.get(
    `${options.basePath}/helper/tour`,
    {
      ...answersHead,
      onRequest: (request, _reply, next) => {
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
      },
    },
    (request, reply) => {
      const text = JSON.stringify(options.tour());
      const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
      void reply.header('cache-control', 'no-cache').header('etag', etag);
      if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
      return reply.type('application/json; charset=utf-8').send(text);
    },
  );
  done();
};
