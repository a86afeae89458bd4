import type { FastifySchema } from 'fastify';
import { describeEndpoint } from '../shared/describe-endpoint.ts';

/** The schema of `GET /healthz`. */
export const healthSchema = describeEndpoint({
  operationId: 'getHealth',
  tag: 'Operations',
  summary: 'Whether the process lives',
  answers: {
    200: {
      description: 'It does.',
      type: 'application/json',
      schema: { type: 'object', required: ['status'], properties: { status: { const: 'ok' } } },
    },
  },
});

const readiness = {
  type: 'object',
  required: ['status', 'checks', 'configuration'],
  properties: {
    status: { enum: ['ready', 'degraded', 'failed', 'draining'] },
    checks: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'state'],
        properties: { name: { type: 'string' }, state: { enum: ['ok', 'degraded', 'failed'] } },
      },
    },
    configuration: { type: 'string', description: 'Tells the configuration that serves from another.' },
    killSwitch: {
      type: 'object',
      description: 'What is refused now; left out while it is nothing.',
      required: ['writes', 'tools'],
      properties: { writes: { type: 'boolean' }, tools: { type: 'array', items: { type: 'string' } } },
    },
  },
} as const;

/** The schema of `GET /readyz`. */
export const readinessSchema = describeEndpoint({
  operationId: 'getReadiness',
  tag: 'Operations',
  summary: 'Whether the server can serve',
  answers: {
    200: { description: '`ready` or `degraded`.', type: 'application/json', schema: readiness },
    503: { description: '`failed` or `draining`.', type: 'application/json', schema: readiness },
  },
});

/** The schema of the metrics. With a token of their own, the metrics need that token. */
export function metricsSchema(needsToken: boolean): FastifySchema {
  return describeEndpoint({
    operationId: 'getMetrics',
    tag: 'Operations',
    summary: 'What is counted, for Prometheus',
    security: needsToken ? [{ metricsToken: [] }] : [],
    answers: { 200: { description: 'The text format of Prometheus.', type: 'text/plain', schema: { type: 'string' } } },
    faults: needsToken ? ['unauthenticated'] : [],
  });
}

/** The schema of `GET /.well-known/security.txt`. */
export const securityTxtSchema = describeEndpoint({
  operationId: 'getSecurityContact',
  tag: 'Operations',
  summary: 'Whom to tell of a weakness (RFC 9116)',
  answers: { 200: { description: 'A security.txt.', type: 'text/plain', schema: { type: 'string' } } },
  faults: ['rate_limited'],
});
