import type { FastifySchema } from 'fastify';
import type { RequestErrorCode } from '../../core/errors/error-codes.ts';
import {
  approveAnswerSchema,
  approveBodySchema,
  cancelAnswerSchema,
  cancelBodySchema,
  confirmationStateSchema,
} from '../../wire/control-bodies.ts';
import { restoredSessionSchema, sessionBodySchema } from '../../wire/session-bodies.ts';
import type { Admission } from '../shared/admit-requests.ts';
import { describeEndpoint, securityOf } from '../shared/describe-endpoint.ts';

/** The faults that every endpoint here may answer, because each of them checks the owner, and may have to ask another replica. */
const ownerFaults = [
  'unauthenticated',
  'forbidden',
  'not_owner',
  'rate_limited',
  'overloaded',
  'cluster_unavailable',
  'internal',
] as const;
/** The faults of endpoints that read a body. */
const bodyFaults = ['not_json', 'payload_too_large', 'invalid_request'] as const satisfies readonly RequestErrorCode[];

/** The schema of `POST /helper/approve`. */
export function approveSchema({ identity }: Pick<Admission, 'identity'>): FastifySchema {
  return describeEndpoint({
    operationId: 'approve',
    tag: 'Confirmations',
    summary: 'Approves or declines an action that waits for its user',
    description: 'Answers at once, not when the action has run.',
    security: securityOf(identity),
    body: approveBodySchema,
    answers: { 200: { description: 'The answer counts.', type: 'application/json', schema: approveAnswerSchema } },
    faults: [...bodyFaults, 'nothing_to_answer', 'storage_unavailable', ...ownerFaults],
  });
}

/** The schema of `GET /helper/approve`. */
export function confirmationSchema({ identity }: Pick<Admission, 'identity'>): FastifySchema {
  return describeEndpoint({
    operationId: 'getConfirmation',
    tag: 'Confirmations',
    summary: 'How a question stands',
    security: securityOf(identity),
    querystring: { type: 'object', required: ['actionId'], properties: { actionId: { type: 'string' } } },
    answers: {
      200: {
        description: '`action` is there once it has ended.',
        type: 'application/json',
        schema: confirmationStateSchema,
      },
    },
    faults: ['invalid_request', 'nothing_to_answer', 'storage_unavailable', ...ownerFaults],
  });
}

/** The schema of `POST /helper/cancel`. */
export function cancelSchema({ identity }: Pick<Admission, 'identity'>): FastifySchema {
  return describeEndpoint({
    operationId: 'cancel',
    tag: 'Confirmations',
    summary: 'Stops the turn that runs',
    security: securityOf(identity),
    body: cancelBodySchema,
    answers: { 200: { description: 'Nothing runs now.', type: 'application/json', schema: cancelAnswerSchema } },
    faults: [...bodyFaults, 'unknown_connection', 'storage_unavailable', ...ownerFaults],
  });
}

const connectionQuery = {
  type: 'object',
  required: ['connectionId'],
  properties: { connectionId: { type: 'string', description: 'Of the hub, as `Connected` tells it.' } },
} as const;

/** The schema of `GET /helper/session`. */
export function saveSchema({ identity }: Pick<Admission, 'identity'>): FastifySchema {
  return describeEndpoint({
    operationId: 'saveSession',
    tag: 'Sessions',
    summary: 'The conversation of a connection as sealed text',
    security: securityOf(identity),
    querystring: connectionQuery,
    answers: {
      200: {
        description: 'The state after the last turn that ended.',
        type: 'application/json',
        schema: sessionBodySchema,
      },
    },
    faults: ['unknown_connection', ...ownerFaults],
  });
}

/** The schema of `POST /helper/session`. */
export function restoreSchema({ identity }: Pick<Admission, 'identity'>): FastifySchema {
  return describeEndpoint({
    operationId: 'restoreSession',
    tag: 'Sessions',
    summary: 'Puts a saved conversation back',
    description: 'The body is what `GET` answered, as it is.',
    security: securityOf(identity),
    querystring: connectionQuery,
    body: sessionBodySchema,
    answers: {
      200: { description: 'The connection goes on with it.', type: 'application/json', schema: restoredSessionSchema },
    },
    faults: [
      ...bodyFaults,
      'unknown_connection',
      'snapshot_refused',
      'turn_in_progress',
      'storage_unavailable',
      ...ownerFaults,
    ],
  });
}
