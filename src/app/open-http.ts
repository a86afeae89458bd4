import type { IncomingMessage } from 'node:http';
import cors from '@fastify/cors';
import {
  type FastifyBaseLogger,
  fastify,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { corsAnswers } from '../channels/shared/cors-answers.ts';
import { boundAnswers } from '../channels/shared/bound-answers.ts';
import { boundRequests } from '../channels/shared/bound-requests.ts';
import { countAnswers } from '../channels/shared/count-answers.ts';
import { prepareHttp } from '../channels/shared/prepare-http.ts';
import { hintAtProxy } from '../channels/shared/proxy-hint.ts';
import { sendProblem } from '../channels/shared/problem-json.ts';
import { requestId } from '../channels/shared/request-id.ts';
import type { SecurityLog } from '../channels/shared/security-log.ts';
import { securityHeaders } from '../channels/shared/security-headers.ts';
import type { CorsSettings, ServerSettings, TlsSettings } from '../config/settings.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { Metrics } from '../core/ports/metrics.ts';
import { closeInTime } from './http/close-in-time.ts';
import { HttpServers } from './http/http-servers.ts';
import { lateChecks } from './http/late-checks.ts';
import { type Certificate, readCertificate, watchCertificate } from './http/live-certificate.ts';
import { RequestsPerAddress } from './http/requests-per-address.ts';
import type { Resource } from './open-resources.ts';

/** The number of sockets beyond those of open connections and streams. They serve requests that are answered at once. */
const socketsBeside = 1024;

export interface HttpOptions {
  readonly server: ServerSettings;
  readonly cors: CorsSettings;
  /** Whether an endpoint brings a policy of its own, even if no website may use the others. */
  readonly hasOwnPolicies?: boolean;
  readonly logger: FastifyBaseLogger;
  readonly metrics: Pick<Metrics, 'of' | 'requestAnswered' | 'expect'>;
  readonly security: Pick<SecurityLog, 'noteRefusal'>;
  /** Paths of probes, which are answered however busy the server is. */
  readonly probePaths: readonly string[];
}

/** The HTTP side of a server. */
export interface OpenHttp {
  readonly app: FastifyInstance;
  /** Whether a request may become a WebSocket. */
  readonly mayUpgrade: HttpServers['mayUpgrade'];
  /** Closes within a second: connections that are still open then are cut, WebSockets included. */
  readonly resource: Resource;
}

/**
 * Fastify with what every request meets first: limits, ids, CORS before anything else (contract/addresses.md#requests), one debug line
 * per request without its query.
 * @throws Error when a certificate file cannot be read.
 */
export function openHttp(options: HttpOptions): OpenHttp {
  const { server, logger } = options;
  const { trustProxy } = server;
  const perAddress = new RequestsPerAddress({ max: server.maxRequestsPerAddress, trustProxy });
  const certificate = server.tls === null ? undefined : readCertificate(server.tls);
  const servers = new HttpServers({
    requestTimeout: server.requestTimeout,
    maxSockets: 2 * server.maxConnections + socketsBeside,
    tls: certificate,
    perAddress,
    log: logger,
  });
  const app = openFastify(options, servers);
  app.setValidatorCompiler(lateChecks());
  // Registered first, so that answers which CORS gives by itself also have ids and security headers.
  prepareHttp(app);
  countAnswers(app, options.metrics);
  const isTooMany = (request: IncomingMessage): boolean => perAddress.isTooMany(request);
  hintAtProxy(app, { trustProxy, log: logger, isTooMany });
  boundRequests(app, {
    isTooMany,
    exempt: options.probePaths,
    metrics: options.metrics,
    security: options.security,
  });
  boundAnswers(app, options);
  allowOrigins(app, options.cors, options);
  if (logger.level === 'debug') logRequests(app, logger);
  if (server.host === 'localhost') app.addHook('onListen', () => servers.listenBeside(app.server));
  app.addHook('onClose', () => servers.closeSecond());
  if (server.tls !== null && certificate !== undefined)
    keepCertificate(app, server.tls, { certificate, servers, log: logger });
  return {
    app,
    mayUpgrade: (request) => servers.mayUpgrade(request),
    resource: {
      name: 'http',
      close: () => closeInTime(app, () => servers.cutConnections()),
    },
  };
}

function openFastify({ server, logger, metrics }: HttpOptions, servers: HttpServers): FastifyInstance {
  return fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: (request) => requestId(request),
    // All requests share one logger: a logger for each request would cost more than its lines. Lines about a request name the request.
    childLoggerFactory: (parent) => parent,
    // There is one proxy. Only the last address of X-Forwarded-For counts, because that proxy added it; the rest is the
    // client's own word.
    trustProxy: server.trustProxy ? (_address, hop) => hop === 0 : false,
    serverFactory: (handle) => servers.create(handle),
    // Channels say themselves that the server is closing.
    return503OnClosing: false,
    // The servers answer malformed requests themselves.
    clientErrorHandler: () => undefined,
    routerOptions: { ignoreTrailingSlash: true },
    frameworkErrors: (_error, request, reply) => {
      answerUnreadableUrl(request, reply);
      metrics.requestAnswered({ route: '', status: reply.statusCode });
    },
    // Fastify's own HEAD routes are off: a HEAD would run a turn and throw its answer away.
    exposeHeadRoutes: false,
  });
}

/**
 * Adds the CORS answers, by which browsers learn whether a page of another website may read an answer (contract/addresses.md#requests). A
 * route may bring a policy of its own, or none.
 */
export function allowOrigins(
  app: FastifyInstance,
  policy: CorsSettings,
  { hasOwnPolicies = false }: Pick<HttpOptions, 'hasOwnPolicies'> = {},
): void {
  if (policy.origins.length === 0 && !hasOwnPolicies) return;
  void app.register(cors, {
    ...corsAnswers(policy),
    // An OPTIONS request that is no preflight is allowed. The plugin would answer it with plain text otherwise.
    strictPreflight: false,
  });
}

/** Serves with the certificate that its files hold, for as long as the server listens. */
function keepCertificate(
  app: FastifyInstance,
  tls: TlsSettings,
  {
    certificate,
    servers,
    log,
  }: { readonly certificate: Certificate; readonly servers: HttpServers; readonly log: Logger },
): void {
  const use = (next: Certificate): void => {
    servers.renew(next);
  };
  const watched = watchCertificate(tls, { first: certificate, use, log });
  app.addHook('onClose', async () => {
    for (const file of watched) await file.close();
  });
}

function logRequests(app: FastifyInstance, log: FastifyBaseLogger): void {
  app.addHook('onResponse', (request, reply, next) => {
    const path = request.url.split('?', 1)[0];
    const { method, id: requestId } = request;
    const durationMs = Math.round(reply.elapsedTime);
    log.debug({ requestId, method, path, status: reply.statusCode, durationMs }, 'request answered');
    next();
  });
}

/**
 * Answers a request whose address cannot be decoded. Such a request meets no hook, so this function adds what the hooks would have added.
 */
function answerUnreadableUrl(request: FastifyRequest, reply: FastifyReply): void {
  void reply.headers({ ...securityHeaders, 'x-request-id': request.id });
  void sendProblem(reply, 'invalid_request', 'The address cannot be read.');
}
