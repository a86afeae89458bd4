import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import { boundAnswers } from '../../channels/shared/bound-answers.ts';
import { boundRequests } from '../../channels/shared/bound-requests.ts';
import { countAnswers } from '../../channels/shared/count-answers.ts';
import { networkOf } from '../../channels/shared/client-network.ts';
import { onceOver } from '../../channels/shared/once-over.ts';
import { prepareHttp } from '../../channels/shared/prepare-http.ts';
import { answerUnknownAddress } from '../../channels/shared/problem-json.ts';
import { requestId } from '../../channels/shared/request-id.ts';
import type { SecurityLog } from '../../channels/shared/security-log.ts';
import type { HelperSettings } from '../../config/settings.ts';
import type { Metrics } from '../../core/ports/metrics.ts';
import { probePaths } from '../channels/mount-ops.ts';
import { mcpPolicy } from '../cors-policy.ts';
import { lateChecks } from '../http/late-checks.ts';
import { RequestsPerAddress } from '../http/requests-per-address.ts';
import { allowOrigins } from '../open-http.ts';

export interface MountedOptions {
  readonly settings: HelperSettings;
  readonly log: FastifyBaseLogger;
  readonly metrics: Pick<Metrics, 'of' | 'requestAnswered' | 'expect'>;
  readonly security: Pick<SecurityLog, 'noteRefusal'>;
}

/**
 * Gives a scope of the host's Fastify what the other parts of this server rely on: validation that changes nothing, JSON as the only
 * body, our own error answers, ids and limits, HEAD for pages that only read, and a request log without queries. Nothing outside the
 * scope changes.
 */
export function prepareMounted(app: FastifyInstance, { settings, log, metrics, security }: MountedOptions): void {
  app.setGenReqId((request) => requestId(request));
  app.setValidatorCompiler(lateChecks());
  app.removeAllContentTypeParsers();
  logWithoutQueries(app);
  refuseHead(app);
  prepareHttp(app);
  countAnswers(app, metrics);
  const perAddress = countPerAddress(app, settings);
  boundRequests(app, {
    isTooMany: (request) => perAddress.isTooMany(request),
    exempt: probePaths(settings).map((path) => app.prefix + path),
    metrics,
    security,
  });
  boundAnswers(app, { metrics, security });
  const hasOwnPolicies = mcpPolicy(settings) !== undefined;
  if (settings.cors.default.origins.length === 0 && !hasOwnPolicies) return;
  if (app.hasRequestDecorator('corsPreflightEnabled')) {
    const message =
      'cors.default of the assistant decides who may ask, but its headers come from the @fastify/cors of this server: list the same origins there';
    log.warn({ origins: settings.cors.default.origins }, message);
  } else allowOrigins(app, settings.cors.default, { hasOwnPolicies });
}

/** Refuses HEAD where it would run a turn and throw its answer away. A host's Fastify adds HEAD to each GET. */
function refuseHead(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.method === 'HEAD' && route.exposeHeadRoute !== true)
      route.handler = (request, reply) => answerUnknownAddress(app, request, reply);
  });
}

/** Counts requests for `server.maxRequestsPerAddress`. WebSockets count as connections instead. */
function countPerAddress(app: FastifyInstance, { server }: HelperSettings): RequestsPerAddress {
  const perAddress = new RequestsPerAddress({ max: server.maxRequestsPerAddress, trustProxy: false });
  app.addHook('onRequest', (request, reply, next) => {
    if (request.headers.upgrade?.toLowerCase() !== 'websocket') {
      const { leave } = perAddress.add(request.raw, networkOf(request.ip));
      onceOver(reply, leave);
    }
    next();
  });
  return perAddress;
}

/** Shortens addresses in the host's request log to their path, since queries hold messages and tokens (contract/operations.md#logs). */
function logWithoutQueries(app: FastifyInstance): void {
  const serializers = { ['req']: withoutQuery };
  app.setChildLoggerFactory((logger, bindings, options) =>
    logger.child(bindings, { ...options, serializers: { ...options.serializers, ...serializers } }),
  );
}

function withoutQuery({ method, url, host, ip }: FastifyRequest): object {
  return { method, url: url.split('?', 1)[0], host, remoteAddress: ip };
}
