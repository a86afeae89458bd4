import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import cors from '@fastify/cors';
import {
  type FastifyBaseLogger,
  type FastifyError,
  fastify,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { prepareHttp, strictValidation } from '../channels/shared/prepare-http.ts';
import { problemOf, sendProblem } from '../channels/shared/problem-json.ts';
import { requestId } from '../channels/shared/request-id.ts';
import { securityHeaders } from '../channels/shared/security-headers.ts';
import type { CorsSettings, ServerSettings } from '../config/settings.ts';
import { randomId } from '../core/identity/random-id.ts';

/** wire.md 4: the header size limit. */
const maxHeaderSize = 64 * 1024;

export interface HttpOptions {
  readonly server: ServerSettings;
  readonly cors: CorsSettings;
  readonly logger: FastifyBaseLogger;
}

/**
 * Fastify with what every request meets first: limits, ids, CORS before anything else (service.md 5.6), one debug line
 * per request without its query.
 * @throws Error when a certificate file cannot be read.
 */
export function openHttp(options: HttpOptions): FastifyInstance {
  const { server } = options;
  const app = fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    ajv: strictValidation,
    genReqId: (request) => requestId(request),
    // A logger of its own for every request costs more than all its lines: those that are written name the request.
    childLoggerFactory: (logger) => logger,
    // One proxy: of X-Forwarded-For only the address it has added itself; the rest is the client's own word.
    trustProxy: server.trustProxy ? (_address, hop) => hop === 0 : false,
    requestTimeout: server.requestTimeout,
    // Socket time-outs would cut quiet streams; idle keep-alive connections end by themselves.
    keepAliveTimeout: 72_000,
    routerOptions: { ignoreTrailingSlash: true },
    clientErrorHandler: answerMalformed,
    frameworkErrors: answerUnreadableUrl,
    // A HEAD would run a turn and throw its answer away.
    exposeHeadRoutes: false,
    http: { maxHeaderSize },
    ...(server.tls === null ? {} : { https: { ...certificate(server.tls), maxHeaderSize } }),
  });
  // First, so that what CORS answers by itself has ids and security headers too.
  prepareHttp(app);
  const { origins } = options.cors;
  if (origins.length > 0) {
    void app.register(cors, {
      origin: origins.includes('*') ? true : [...origins],
      credentials: options.cors.credentials,
      methods: [...options.cors.methods],
      allowedHeaders: [...options.cors.headers],
      exposedHeaders: ['x-turn-id', 'x-request-id', 'retry-after'],
      // OPTIONS that is no preflight is no fault, and the plugin's own answer to it would be plain text.
      strictPreflight: false,
    });
  }
  if (options.logger.level === 'debug') logRequests(app, options.logger);
  return app;
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

function certificate(tls: NonNullable<ServerSettings['tls']>): { cert: Buffer; key: Buffer } {
  return { cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile) };
}

/** An address that cannot be decoded meets no hook, so it gets here what they would have added. */
function answerUnreadableUrl(_error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  void reply.headers({ ...securityHeaders, 'x-request-id': request.id });
  void sendProblem(reply, 'invalid_request', 'The address cannot be read.');
}

const malformed: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive within server.requestTimeout.',
};

/** What the HTTP parser refuses never becomes a request: it is answered on the bare socket. */
function answerMalformed(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const tooLarge = error.code === 'HPE_HEADER_OVERFLOW';
  const problem = tooLarge
    ? problemOf('uri_too_long', 'The address and headers together are larger than 64 KiB.', randomId())
    : problemOf('invalid_request', malformed[error.code ?? ''] ?? 'The request is not valid HTTP.', randomId());
  const body = JSON.stringify(problem);
  const reason = tooLarge ? 'Request Header Fields Too Large' : 'Bad Request';
  const headers = {
    ...securityHeaders,
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'x-request-id': problem.requestId,
    connection: 'close',
    'content-length': String(Buffer.byteLength(body)),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${String(problem.status)} ${reason}\r\n${lines.join('')}\r\n${body}`);
}
