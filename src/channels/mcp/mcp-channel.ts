import type { FastifyInstance, FastifyPluginCallback, FastifyRequest } from 'fastify';
import { HelperError } from '../../core/errors/helper-error.ts';
import { hasMoreValues } from '../../core/base/json-depth.ts';
import { admitRequests } from '../shared/admit-requests.ts';
import { asObject } from '../shared/as-object.ts';
import { type CorsRules, corsAnswers } from '../shared/cors-answers.ts';
import { isOver, onceOver } from '../shared/once-over.ts';
import type { ConnectionsElsewhere } from '../shared/replicas/connections-elsewhere.ts';
import { abilitiesHeader, canOpenAddresses, isInitialize, programIn, rememberedAbilities } from './client-abilities.ts';
import { answeredElsewhere } from './answered-elsewhere.ts';
import { mcpCaller } from './mcp-caller.ts';
import { isListening, listening, type ListeningOptions } from './listening.ts';
import { McpHandlers, type McpHandlersOptions } from './mcp-handlers.ts';

export interface McpChannelOptions extends McpHandlersOptions, Omit<ListeningOptions, 'canConfirm'> {
  /** The path of the endpoint, with `server.basePath`. */
  readonly path: string;
  /** Left out, this is the only server. */
  readonly elsewhere?: ConnectionsElsewhere | undefined;
  /** Whether the server is shutting down, and begins nothing new. */
  readonly isDraining: () => boolean;
  /** Where a client finds who signs its users in. Undefined: nobody has to sign in. */
  readonly metadata: { readonly path: string; readonly issuers: readonly string[] } | undefined;
  /** The address of the root of this server's endpoints, as clients reach it. */
  readonly addressOf: (request: { readonly protocol: string; readonly host: string }) => string;
  /** The policy by which websites may use the endpoint. Undefined: none may. */
  readonly cors: CorsRules | undefined;
}

/** Headers of the protocol that a page of a website sends, and those that it reads. */
const headersOfWebsites = {
  sent: ['mcp-protocol-version', 'mcp-session-id', 'mcp-method', 'mcp-name'],
  read: ['mcp-session-id', 'mcp-protocol-version', 'www-authenticate'],
};

/**
 * `/mcp`: the actions as tools of an MCP server, for clients of both eras of the protocol (contract/mcp-server.md). Each request is served
 * by itself, and nothing is kept between two of them but the log level that an older client has asked for.
 */
export const mcpChannel: FastifyPluginCallback<McpChannelOptions> = (app, options, done) => {
  const { admission, knowsCallers, path } = options;
  const config = { cors: options.cors === undefined ? (false as const) : corsAnswers(options.cors, headersOfWebsites) };
  const canConfirm = options.confirmations !== undefined;
  const handlers = new McpHandlers(options);
  const handler = handlers.open({ maxSubscriptions: 0 });
  /** Whether the answer gives the client an id, by which its later requests are told from those of others. */
  const identifies = (body: unknown): boolean =>
    (canConfirm && canOpenAddresses(body)) || (options.logs?.keepsLevels === true && isInitialize(body));
  const listenTo = listening({ ...options, canConfirm }, () => handlers.open({ maxSubscriptions: 1 }));
  admitRequests(app, admission);
  challengeCallers(app, options);
  /** Aborted when the client of a request has gone, or when the server closes. */
  const open = new Set<AbortController>();
  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: path,
    config,
    bodyLimit: options.bodyLimit,
    handler: async (request, reply) => {
      if (options.isDraining()) throw new HelperError('server_draining', 'The server is shutting down.');
      // The client left while the server checked who it is, so nothing begins.
      if (isOver(reply)) return reply.hijack();
      // One revision has batches. A batch would pass the limits of one request, and a part of it could be cancelled by another.
      if (Array.isArray(request.body)) return reply.code(400).send(batchRefused);
      if (isWide(request.body)) return reply.code(400).send(tooWide);
      const gone = new AbortController();
      open.add(gone);
      onceOver(reply, () => {
        open.delete(gone);
        gone.abort();
      });
      const { opensAddresses, program } = rememberedAbilities(request);
      const known = mcpCaller(request, admission.identity.of(request), { knowsCallers, canConfirm });
      const caller = { ...known, program: program ?? known.program };
      if (await answeredElsewhere({ request, reply, caller, signal: gone.signal }, options)) return reply;
      const received = webRequest(request, gone.signal);
      handlers.introduce(received, {
        caller,
        opensAddresses,
        sessionId: request.headers['mcp-session-id'],
        address: options.addressOf(request),
      });
      if (identifies(request.body)) {
        const abilities = {
          opensAddresses: canConfirm && canOpenAddresses(request.body),
          program: programIn(request.body),
        };
        void reply.header(...abilitiesHeader(abilities));
      }
      const { body } = request;
      const answering = isListening(body) ? listenTo({ request, reply, caller }) : handler;
      return answering.fetch(received, { parsedBody: body });
    },
  });
  // A browser asks first whether a page may send its request. The policy answers before this is reached.
  app.options(path, { config, schema: { hide: true } }, (_, reply) => {
    reply.callNotFound();
  });
  app.addHook('preClose', async () => {
    for (const gone of open) gone.abort();
    await handler.close();
  });
  done();
};

function challengeCallers(
  app: FastifyInstance,
  { metadata, addressOf }: Pick<McpChannelOptions, 'metadata' | 'addressOf'>,
): void {
  // eslint-disable-next-line max-params -- Fastify's hook has four
  app.addHook('onSend', (request, reply, payload, next) => {
    if (reply.statusCode === 401) {
      const address = metadata && `${addressOf(request)}${metadata.path}`;
      void reply.header('www-authenticate', challenge(request, address));
    }
    next(null, payload);
  });
}

/**
 * What a client is told that has to sign in: whether its token was refused (RFC 6750), so that it gets another one, and where to learn who
 * gives tokens (RFC 9728).
 */
function challenge({ headers }: FastifyRequest, metadataAddress: string | undefined): string {
  const parts = [
    ...(/^bearer\s/i.test(headers.authorization ?? '') ? ['error="invalid_token"'] : []),
    ...(metadataAddress === undefined ? [] : [`resource_metadata="${metadataAddress}"`]),
  ];
  return ['Bearer', parts.join(', ')].join(' ').trim();
}

const batchRefused = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32600, message: 'Batches are not served. Send one message in each request.' },
};

/** The most values of a request beside the arguments of a call. Honest ones have some thirty. */
const mostValues = 200;

const tooWide = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32600, message: 'The request has too many values beside the arguments of a call.' },
};

/** Whether the SDK would have so much to look at that one request holds up all others: it says of each wrong value what is wrong. */
function isWide(body: unknown): boolean {
  const { params, ...others } = asObject(body);
  const { arguments: given, ...rest } = asObject(params);
  // The members of these arguments are looked at by the schema of the action alone.
  const isOpaque = others['method'] === 'tools/call' && !Array.isArray(given);
  return hasMoreValues([others, Array.isArray(params) ? params : rest, isOpaque ? null : given], mostValues);
}

/** The document that names who signs users in (RFC 9728). Everybody may read it. */
export const mcpMetadata: FastifyPluginCallback<
  Pick<McpChannelOptions, 'path' | 'addressOf'> & { readonly metadata: NonNullable<McpChannelOptions['metadata']> }
> = (app, { path, addressOf, metadata }, done) => {
  app.get(metadata.path, (request, reply) => {
    void reply.header('access-control-allow-origin', '*').header('cache-control', 'no-store');
    return {
      resource: `${addressOf(request)}${path}`,
      authorization_servers: metadata.issuers,
      bearer_methods_supported: ['header'],
    };
  });
  done();
};

/** The handler goes by method and headers. What a client calls this server must not decide how the request is read. */
const anyAddress = 'http://mcp.invalid/';

/** The request for the handler, without its body, which is read already. */
function webRequest({ method, headers }: FastifyRequest, signal: AbortSignal): Request {
  const given = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
  );
  return new Request(anyAddress, { method, headers: given, signal });
}
