import type { FastifySchema } from 'fastify';
import type { RequestErrorCode } from '../../core/errors/error-codes.ts';
import {
  conversationAnswerSchema,
  conversationParamsSchema,
  conversationsAnswerSchema,
  conversationsQuerySchema,
  erasedAnswerSchema,
  renameBodySchema,
} from '../../wire/conversation-bodies.ts';
import type { Admission } from '../shared/admit-requests.ts';
import { describeEndpoint, securityOf } from '../shared/describe-endpoint.ts';

/** Only signed-in users have conversations, and data that can be erased. */
export const signedIn = { requireAuthorization: true, roles: [] } as const;

const faults = [
  'unauthenticated',
  'forbidden',
  'storage_unavailable',
  'rate_limited',
  'overloaded',
  'internal',
] as const satisfies readonly RequestErrorCode[];

type Identity = Pick<Admission, 'identity'>;

/** The schema of `GET /helper/conversations`. */
export function listSchema({ identity }: Identity): FastifySchema {
  return describeEndpoint({
    operationId: 'listConversations',
    tag: 'Sessions',
    summary: 'The conversations that are kept of the caller, the newest first',
    security: securityOf(identity, signedIn),
    querystring: conversationsQuerySchema,
    answers: { 200: { description: 'One page.', type: 'application/json', schema: conversationsAnswerSchema } },
    faults: ['invalid_request', ...faults],
  });
}

/** The schema of `GET /helper/conversations/{id}`. */
export function readSchema({ identity }: Identity): FastifySchema {
  return describeEndpoint({
    operationId: 'getConversation',
    tag: 'Sessions',
    summary: 'What was said in a conversation',
    security: securityOf(identity, signedIn),
    params: conversationParamsSchema,
    answers: { 200: { description: 'In order.', type: 'application/json', schema: conversationAnswerSchema } },
    faults: ['invalid_request', 'not_found', ...faults],
  });
}

/** The schema of `PATCH /helper/conversations/{id}`. */
export function renameSchema({ identity }: Identity): FastifySchema {
  return describeEndpoint({
    operationId: 'renameConversation',
    tag: 'Sessions',
    summary: 'Gives a conversation another title',
    security: securityOf(identity, signedIn),
    params: conversationParamsSchema,
    body: renameBodySchema,
    answers: { 204: { description: 'It has the title.' } },
    faults: ['invalid_request', 'not_found', 'not_json', 'payload_too_large', ...faults],
  });
}

/** The schema of `DELETE /helper/conversations/{id}`. */
export function deleteSchema({ identity }: Identity): FastifySchema {
  return describeEndpoint({
    operationId: 'deleteConversation',
    tag: 'Sessions',
    summary: 'Deletes a conversation for good',
    description: 'What runs in it is stopped.',
    security: securityOf(identity, signedIn),
    params: conversationParamsSchema,
    answers: { 204: { description: 'It is gone.' } },
    faults: ['invalid_request', 'not_found', ...faults],
  });
}

/** The schema of `DELETE /helper/user-data`. */
export function eraseSchema({ identity }: Identity): FastifySchema {
  return describeEndpoint({
    operationId: 'eraseUserData',
    tag: 'Sessions',
    summary: 'Erases what is kept of the caller',
    description: 'Turns of the caller are stopped. What was approved stays in the journal, under a pseudonym.',
    security: securityOf(identity, signedIn),
    answers: {
      200: { description: 'How much was erased.', type: 'application/json', schema: erasedAnswerSchema },
    },
    faults: ['turn_in_progress', ...faults],
  });
}
