import { createHash } from 'node:crypto';
import type { FastifyPluginCallback } from 'fastify';
import type { Tour, TourStep } from '../../core/tour/build-tour.ts';
import type { Tour as WireTour, TourStep as WireTourStep } from '../../wire/tour.ts';
import type { Admission } from '../shared/admit-requests.ts';
import { answersHead } from '../shared/answers-head.ts';
import { matchesEtag } from '../shared/etag.ts';

/**
 * The core's tour, or `never` when it is not what `wire/tour.ts` promises: a field that one of them lacks, optional ones included,
 * or has otherwise, does not compile where the channel is mounted.
 */
type ProvenTour = [Required<TourStep>, Tour] extends [Required<WireTourStep>, WireTour]
  ? [Required<WireTourStep>, WireTour] extends [Required<TourStep>, Tour]
    ? Tour
    : never
  : never;

export interface TourChannelOptions {
  /** `server.basePath`. */
  readonly basePath: string;
  /** The tour of now: a callback may offer other pages later. */
  readonly tour: () => ProvenTour;
  readonly admission: Pick<Admission, 'identity' | 'security'>;
}

/**
 * `GET /helper/tour` (contract/widget.md#tour): open on purpose and the same for everyone, so that any cache may keep it. A token that is
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
