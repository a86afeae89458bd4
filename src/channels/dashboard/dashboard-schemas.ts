import type { FastifySchema } from 'fastify';
import { csvTables } from '../../wire/admin-metrics.ts';
import { adminMetricsSchema, killSwitchSchema } from '../../wire/admin-metrics-schema.ts';
import { describeEndpoint, type Security } from '../shared/describe-endpoint.ts';

/** The schema of `GET /helper/admin`. */
export const dashboardSchema = describeEndpoint({
  operationId: 'getDashboard',
  tag: 'Operations',
  summary: 'The dashboard, a page without figures',
  answers: { 200: { description: 'A page.', type: 'text/html', schema: { type: 'string' } } },
  faults: ['rate_limited'],
});

/** The schema of `GET /helper/admin/assets/{name}`. */
export const dashboardFileSchema = describeEndpoint({
  operationId: 'getDashboardFile',
  tag: 'Operations',
  summary: 'A file that the dashboard loads; its name is a hash of its content',
  params: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
  answers: {
    200: {
      description: 'A script or a stylesheet.',
      type: 'text/javascript',
      schema: { type: 'string' },
      others: { 'text/css': { type: 'string' } },
    },
  },
  faults: ['not_found', 'rate_limited'],
});

/** The schema of `GET /helper/admin/metrics`. */
export function metricsSchema(security: Security): FastifySchema {
  return describeEndpoint({
    operationId: 'getDashboardMetrics',
    tag: 'Operations',
    summary: 'The figures of the dashboard',
    description:
      'Of the last 24 hours, or of the whole hours from `from` to `to`, both in RFC 3339. With `step=5m`: of the last hour, or of the whole steps of five minutes from `from` to `to`, within the last two hours. With `tenancy.claim` they are those of the tenant of the caller.',
    querystring: {
      type: 'object',
      properties: {
        from: { type: 'string', examples: ['2026-11-22T00:00:00Z'] },
        to: { type: 'string', examples: ['2026-11-23T00:00:00Z'] },
        step: { type: 'string', enum: ['1h', '5m'] },
        format: { type: 'string', enum: ['json', 'csv'], description: 'csv asks for one `table`.' },
        table: { type: 'string', enum: csvTables },
      },
    },
    security,
    answers: {
      200: {
        description: 'They hold nothing that users or the model wrote.',
        type: 'application/json',
        schema: adminMetricsSchema,
        others: { 'text/csv': { type: 'string' } },
      },
    },
    faults: ['invalid_request', 'unauthenticated', 'forbidden', 'rate_limited', 'overloaded', 'storage_unavailable'],
  });
}

/** The schema of `POST /helper/admin/kill-switch`. */
export function killSwitchBodySchema(security: Security): FastifySchema {
  return describeEndpoint({
    operationId: 'setKillSwitch',
    tag: 'Operations',
    summary: 'Refuses all actions that change something, or takes that back',
    description: 'It holds until the server ends. What the configuration refuses stays refused.',
    body: {
      type: 'object',
      required: ['writes'],
      properties: { writes: { type: 'boolean' } },
      examples: [{ writes: true }],
    },
    security,
    answers: { 200: { description: 'What is refused now.', type: 'application/json', schema: killSwitchSchema } },
    faults: [
      'invalid_request',
      'unauthenticated',
      'forbidden',
      'payload_too_large',
      'not_json',
      'rate_limited',
      'overloaded',
    ],
  });
}
