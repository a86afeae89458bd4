import type { FastifyPluginCallback } from 'fastify';
import type { Tour, TourStep } from '../../core/tour/build-tour.ts';
import { tourSchema, type Tour as WireTour, type TourStep as WireTourStep } from '../../wire/tour.ts';
import type { Admission } from '../shared/admit-requests.ts';
import { answersHead } from '../shared/answers-head.ts';
import { describeEndpoint, securityOf } from '../shared/describe-endpoint.ts';
import { notModified, refuseBadToken, sendDocument } from '../shared/send-document.ts';

/**
 * The core's tour, or `never` when the core and `wire/tour.ts` do not have exactly the same fields, optional ones included. With `never`,
 * the code that mounts the channel does not compile.
 */
type ProvenTour = [Required<TourStep>, Tour] extends [Required<WireTourStep>, WireTour]
  ? [Required<WireTourStep>, WireTour] extends [Required<TourStep>, Tour]
    ? Tour
    : never
  : never;

export interface TourChannelOptions {
  /** `server.basePath`. */
  readonly basePath: string;
  /** The present tour: a callback may offer other pages later. */
  readonly tour: () => ProvenTour;
  readonly admission: Pick<Admission, 'identity' | 'security'>;
}

/**
 * `GET /helper/tour` (contract/widget.md#tour). It needs no authorization and is the same for everyone, so any cache may keep it. A token
 * that is not valid is answered 401, as everywhere.
 */
export const tourChannel: FastifyPluginCallback<TourChannelOptions> = (app, options, done) => {
  const schema = describeEndpoint({
    operationId: 'getTour',
    tag: 'Widget',
    summary: 'The steps of the onboarding tour, in the language of the server',
    security: securityOf(options.admission.identity),
    answers: {
      200: { description: 'The same for everyone.', type: 'application/json', schema: tourSchema },
      304: notModified,
    },
    faults: ['unauthenticated', 'rate_limited', 'overloaded'],
  });
  app.get(
    `${options.basePath}/helper/tour`,
    { ...answersHead, schema, onRequest: refuseBadToken(options.admission) },
    (request, reply) => sendDocument(request, reply, JSON.stringify(options.tour())),
  );
  done();
};
