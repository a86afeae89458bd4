import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { HelperError } from '../../core/errors/helper-error.ts';
import { answersHead } from '../shared/answers-head.ts';
import type { SecurityLog } from '../shared/security-log.ts';
import { metricsSchema } from './ops-schemas.ts';

export interface MetricsChannelOptions {
  /** `endpoints.metrics.path`; carries no base path. */
  readonly path: string;
  /** The present `endpoints.metrics.token`. With a list, each of its tokens is accepted. Undefined leaves the endpoint open. */
  readonly token: (() => string | readonly string[]) | undefined;
  readonly security: Pick<SecurityLog, 'noteRefusal'>;
  /** Returns all metrics as text. */
  readonly renderMetrics: () => Promise<{ readonly contentType: string; readonly body: string }>;
}

/** `GET /metrics` for Prometheus (contract/operations.md#metrics), open or behind a bearer token of its own. */
export const metricsChannel: FastifyPluginCallback<MetricsChannelOptions> = (app, options, done) => {
  app.get(
    options.path,
    { ...answersHead, schema: metricsSchema(options.token !== undefined), logLevel: 'warn' },
    async (request, reply) => {
      requireToken(options, request, reply);
      const { contentType, body } = await options.renderMetrics();
      return reply.header('cache-control', 'no-store').type(contentType).send(body);
    },
  );
  done();
};

function requireToken({ token, security }: MetricsChannelOptions, request: FastifyRequest, reply: FastifyReply): void {
  if (token === undefined) return;
  const presented = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (presented !== undefined && [token()].flat().some((accepted) => isSame(presented, accepted))) return;
  void reply.header('www-authenticate', 'Bearer');
  const refused = 'These metrics need the bearer token that endpoints.metrics.token names.';
  const refusal = request.headers.authorization === undefined ? 'missing' : 'wrong_token';
  const error = new HelperError('unauthenticated', refused, { refusal });
  security.noteRefusal(request, error);
  throw error;
}

/** Compares digests, so that the time of the comparison reveals neither the token nor its length. */
function isSame(presented: string, token: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(presented), digest(token));
}
