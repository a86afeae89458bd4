import type { FastifySchema } from 'fastify';
import { correctionSchema, rememberedFactsSchema } from '../../wire/memory-bodies.ts';
import type { Admission } from '../shared/admit-requests.ts';
import { describeEndpoint, securityOf } from '../shared/describe-endpoint.ts';

type Identified = Pick<Admission, 'identity'>;

const connectionId = {
  type: 'string',
  maxLength: 200,
  description: 'Of the hub, as `Connected` tells it. Only for callers who are not signed in.',
} as const;
const id = { type: 'string', minLength: 1, maxLength: 200, description: 'Of a fact.' } as const;

const faults = [
  'invalid_request',
  'unauthenticated',
  'forbidden',
  'not_owner',
  'not_found',
  'unknown_connection',
  'storage_unavailable',
  'rate_limited',
  'overloaded',
  'cluster_unavailable',
  'internal',
] as const;

/** The schema of `GET /helper/memory`. */
export function listSchema({ identity }: Identified): FastifySchema {
  return describeEndpoint({
    operationId: 'listMemory',
    tag: 'Memory',
    summary: 'What is remembered about the caller',
    security: securityOf(identity),
    querystring: { type: 'object', properties: { connectionId } },
    answers: {
      200: { description: 'The facts that count.', type: 'application/json', schema: rememberedFactsSchema },
    },
    faults,
  });
}

/** The schema of `PATCH /helper/memory`. */
export function correctSchema({ identity }: Identified): FastifySchema {
  return describeEndpoint({
    operationId: 'correctMemory',
    tag: 'Memory',
    summary: 'Puts other words into a fact',
    security: securityOf(identity),
    querystring: { type: 'object', required: ['id'], properties: { id, connectionId } },
    body: correctionSchema,
    answers: { 204: { description: 'The fact has these words now.' } },
    faults: ['not_json', 'payload_too_large', ...faults],
  });
}

/** The schema of `DELETE /helper/memory`. */
export function eraseSchema({ identity }: Identified): FastifySchema {
  return describeEndpoint({
    operationId: 'eraseMemory',
    tag: 'Memory',
    summary: 'Erases a fact, or all of them',
    description: 'Without `id`, everything that is remembered about the caller.',
    security: securityOf(identity),
    querystring: { type: 'object', properties: { id, connectionId } },
    answers: { 204: { description: 'It is gone, and what was said before brings nothing back.' } },
    faults,
  });
}
