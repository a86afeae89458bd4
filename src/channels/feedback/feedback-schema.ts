import type { FastifySchema } from 'fastify';
import { feedbackBodySchema } from '../../wire/feedback-body.ts';
import type { Admission } from '../shared/admit-requests.ts';
import { describeEndpoint, securityOf } from '../shared/describe-endpoint.ts';

/** The schema of `POST /helper/feedback`. */
export function feedbackSchema({ identity }: Pick<Admission, 'identity'>): FastifySchema {
  return describeEndpoint({
    operationId: 'rateReply',
    tag: 'Chat',
    summary: 'Rates a reply',
    description: 'The last rating counts. The same rating again changes nothing.',
    security: securityOf(identity),
    querystring: {
      type: 'object',
      properties: {
        connectionId: {
          type: 'string',
          maxLength: 200,
          description: 'Of the hub, as `Connected` tells it: the reply is one of its conversation.',
        },
      },
    },
    body: feedbackBodySchema,
    answers: { 204: { description: 'The rating is kept.' } },
    faults: [
      'not_json',
      'payload_too_large',
      'invalid_request',
      'unauthenticated',
      'forbidden',
      'not_owner',
      'not_found',
      'unknown_connection',
      'turn_in_progress',
      'storage_unavailable',
      'rate_limited',
      'overloaded',
      'cluster_unavailable',
      'internal',
    ],
  });
}
