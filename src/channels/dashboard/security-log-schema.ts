import type { FastifySchema } from 'fastify';
import { describeEndpoint, type Security } from '../shared/describe-endpoint.ts';

const text = { type: 'string' } as const;

const line = {
  type: 'object',
  required: ['time', 'level', 'message', 'what', 'reason', 'who'],
  properties: {
    time: { type: 'string', format: 'date-time' },
    level: { enum: ['info', 'warn'] },
    message: text,
    what: text,
    reason: text,
    who: { type: 'string', description: 'A user key, the keyed hash of an address, or anonymous.' },
    request: { type: 'string', description: 'The method and the route, without a query.' },
    requestId: text,
    session: text,
    turnId: text,
    conversationId: text,
    actionId: text,
    callId: text,
    action: text,
    leftOut: { type: 'integer', description: 'How many events of this kind got no line before this one.' },
  },
} as const;

/** The schema of `GET /helper/admin/security-log`. */
export function securityLogSchema(security: Security): FastifySchema {
  return describeEndpoint({
    operationId: 'getSecurityLog',
    tag: 'Operations',
    summary: 'The newest lines of the security log',
    description: 'The newest 200 of this process, newest first. With `tenancy.claim` they are for nobody.',
    security,
    answers: {
      200: {
        description: 'What the log has, under the same names.',
        type: 'application/json',
        schema: { type: 'object', required: ['lines'], properties: { lines: { type: 'array', items: line } } },
      },
    },
    faults: ['unauthenticated', 'forbidden', 'rate_limited', 'overloaded'],
  });
}
