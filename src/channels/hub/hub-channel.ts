import { randomBytes } from 'node:crypto';
import type { FastifyPluginCallback, FastifyRequest } from 'fastify';
import type { Assistant } from '../../core/assistant.ts';
import type { UserConversations } from '../../core/sessions/user-conversations.ts';
import { HelperError } from '../../core/errors/helper-error.ts';
import { flushAfterReads } from '../../core/base/flush-round.ts';
import type { Caller } from '../../core/identity/authenticator.ts';
import type { OwnerFault } from '../../core/errors/error-codes.ts';
import { type Principal, tenantOf } from '../../core/identity/principal.ts';
import type { CallerRoom } from '../../core/limits/caller-room.ts';
import { type CountedCaller, countedCaller } from '../../core/limits/counted-caller.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { CallerMetrics, Metrics } from '../../core/ports/metrics.ts';
import type { McpServerBoard } from '../../core/ports/mcp-servers.ts';
import type { RemoteAgentBoard } from '../../core/ports/remote-agent.ts';
import type { ConnectionHubEvents, RemainingBudget } from '../../wire/hub-events.ts';
import { admit, type Admission } from '../shared/admit-requests.ts';
import { onceOver } from '../shared/once-over.ts';
import { networkOf } from '../shared/client-network.ts';
import { crowd, isCrowded } from '../shared/crowded-json.ts';
import { securityHeaders } from '../shared/security-headers.ts';
import { hubMethods } from './hub-methods.ts';
import { hubSchemas } from './hub-schemas.ts';
import { HubSession, type TurnShownBy } from './hub-session.ts';
import { mcpNews, remoteAgentNews } from './status-news.ts';
import type { CallerPlaces } from './protocol/connection/connection-places.ts';
import type { HubApplication } from './protocol/hub-application.ts';
import type { HubCaller } from './protocol/hub-callers.ts';
import type { HubConnection } from './protocol/connection/hub-connection.ts';
import type { HubTimings } from './protocol/hub-limits.ts';
import type { HubControl as ProtocolControl, SignalRHubOptions } from './protocol/hub-options.ts';
import { tokenOf } from './protocol/requests.ts';
import { signalRHub } from './protocol/signalr-hub.ts';

/** What the server does with the hub on its way to a shutdown (contract/restarts.md#stopping), in this order. */
export interface HubControl {
  /** Refuses new connections with 503 and sends `ServerDraining` to the open ones. */
  drain(inSeconds: number): void;
  /** Sends Close with `allowReconnect` to all, refuses new ones; resolves when all sockets are gone, at most 6 s later. */
  closeAll(): Promise<void>;
}

export interface HubChannelOptions {
  /** `server.hubPath`, relative to the prefix of the Fastify instance. */
  readonly path: string;
  readonly assistant: Assistant;
  /** Left out, no conversations are kept. */
  readonly conversations?: Pick<UserConversations, 'open'> | undefined;
  /** The settings that `Connected` tells a client. */
  readonly connected: () => ConnectionHubEvents['Connected']['settings'];
  /** Whether each connection is told which tools the provider of the model runs (`showHostedToolsStatus`). Left out, it is not told. */
  readonly showsHostedTools?: () => boolean;
  /** The agents on other servers, of which connections are told. Left out, there are none. */
  readonly remoteAgents?: RemoteAgentBoard;
  /** The MCP servers, of which connections are told. Left out, there are none. */
  readonly mcpServers?: McpServerBoard | undefined;
  /** What a user may still spend. Never rejects. Left out, there are no budgets. */
  readonly budgetOf?: ((principal: Principal) => Promise<RemainingBudget | undefined>) | undefined;
  /** The other replicas, and the keys of tokens that all of them take. Left out, this is the only server. */
  readonly replicas?: Pick<SignalRHubOptions<HubSession>, 'tokenKeys' | 'replicas'> | undefined;
  /** Checks every request to the hub, upgrades included. */
  readonly admission: Admission;
  readonly metrics: Pick<Metrics, 'of'>;
  readonly log: Logger;
  /** Open connections in all. */
  readonly maxConnections: number;
  /** The connections of each caller, together with its streams of server-sent events. */
  readonly connectionRoom: CallerRoom;
  /** Bytes of messages that are not whole yet. */
  readonly arrivalRoom: CallerRoom;
  /** Bytes a slow client may leave unread. */
  readonly maxBufferedBytes: number;
  /** Bytes of one message from a client. */
  readonly maxMessageBytes: number;
  /** Whether a request may become a WebSocket now. Default: it may. */
  readonly mayUpgrade?: NonNullable<SignalRHubOptions<HubSession>['mayUpgrade']>;
  /** Connections are closed by `control` alone. Default: also when the server closes. */
  readonly closesByControl?: boolean;
  /** Called once while the plugin loads, with what a shutdown needs. */
  readonly control: (control: HubControl) => void;
  /** Milliseconds a connection waits for its client to come back to it (`server.disconnectGrace`). */
  readonly disconnectGraceMs: number;
  /** Shorter times for tests. */
  readonly timings?: Partial<HubTimings>;
  /** The names under which users know the two byte limits, for messages to users. */
  readonly settingNames?: NonNullable<SignalRHubOptions<HubSession>['settingNames']>;
}

/** The hub of `server.hubPath` (contract/hub.md): turns over the SignalR protocol. */
export const hubChannel: FastifyPluginCallback<HubChannelOptions> = (app, options, done) => {
  // The headers are also set on the reply here, because event streams bypass Fastify's later hooks.
  app.addHook('onRequest', (_request, reply, next) => {
    void reply.headers(securityHeaders);
    next();
  });
  const uncounted: Admission = { ...options.admission, rate: undefined };
  const budgets: BudgetsOfRequests = new WeakMap();
  app.register(signalRHub<HubSession>, {
    path: options.path,
    ...(options.replicas ?? ownTokenKey()),
    schedule: flushAfterReads,
    application: hubApplication(options, budgets),
    // The protocol asks this of every request to the hub, upgrades included.
    authenticate: async (request) => {
      await admit(request, opensConnection(request) ? options.admission : uncounted);
      const caller = options.admission.identity.of(request);
      // The budget is read here, because `Connected` is sent at a point where nothing can be awaited.
      const budget = request.method === 'GET' ? await options.budgetOf?.(caller.principal) : undefined;
      if (budget !== undefined) budgets.set(request, budget);
      return callerOf(caller);
    },
    isCredentialFault: (error) => error instanceof HelperError && error.code === 'unauthenticated',
    callerPlaces: callerPlaces(options),
    arrivalRoom: (request, bytes) => options.arrivalRoom.take(countedCallerOf(options, request), bytes),
    log: options.log,
    schemas: hubSchemas(options.admission),
    closesByControl: options.closesByControl ?? false,
    onceOver,
    ...(options.mayUpgrade === undefined ? {} : { mayUpgrade: options.mayUpgrade }),
    crowding: { ...crowd, isCrowded },
    limits: {
      maxConnections: options.maxConnections,
      maxBufferedBytes: options.maxBufferedBytes,
      maxMessageBytes: options.maxMessageBytes,
    },
    timings: { reconnectMs: options.disconnectGraceMs, ...options.timings },
    settingNames: { maxBufferedBytes: 'server.maxBufferedBytes', ...options.settingNames },
    control: (control) => {
      options.control(shutdownControl(control));
    },
  });
  done();
};

/** The key belongs to this process: a token is useful only while the connections of this process live. */
function ownTokenKey(): Pick<SignalRHubOptions<HubSession>, 'tokenKeys'> {
  const key = randomBytes(32);
  return { tokenKeys: () => [key] };
}

/** What each caller could still spend when the request came. */
type BudgetsOfRequests = WeakMap<FastifyRequest, RemainingBudget>;

function hubApplication(options: HubChannelOptions, budgets: BudgetsOfRequests): HubApplication<HubSession> {
  const shownBy: TurnShownBy = new WeakMap();
  const { remoteAgents, mcpServers } = options;
  const news = [
    ...(remoteAgents === undefined ? [] : [remoteAgentNews(remoteAgents)]),
    ...(mcpServers === undefined ? [] : [mcpNews(mcpServers)]),
  ];
  const countedOf = ({ session }: HubSession): CallerMetrics => options.metrics.of(tenantOf(session.principal));
  return {
    methods: hubMethods,
    connected: (connection, request) => {
      const { principal, authorization } = options.admission.identity.of(request);
      const { assistant, conversations } = options;
      const address = networkOf(request.ip);
      const onForeignTurn = foreignTurns(options.admission, principal, request.ip);
      const onTakenOver = (): void => {
        options.metrics.of(tenantOf(principal)).connectionReturned('hub', 'turn');
      };
      const caller = { principal, authorization, address };
      const hub = new HubSession({
        assistant,
        conversations,
        connection,
        ...caller,
        shownBy,
        onForeignTurn,
        onTakenOver,
      });
      countedOf(hub).connectionOpened('hub');
      const connected = connectedEvent(connection, hub, { options, budget: budgets.get(request) });
      connection.sendEvent('Connected', connected);
      if (options.showsHostedTools?.() === true)
        connection.sendEvent('HostedToolsReady', { tools: connected.settings.hostedTools });
      for (const one of news) one.join(hub, connection);
      return hub;
    },
    renewed: (hub, request) => {
      const { principal, authorization } = options.admission.identity.of(request);
      hub.session.renew(principal, authorization);
    },
    cameBack: (hub) => {
      countedOf(hub).connectionReturned('hub', 'line');
    },
    disconnected: (hub, ending) => {
      countedOf(hub).connectionEnded('hub', performance.now() - hub.openedAt);
      for (const one of news) one.leave(hub);
      hub.ended(ending);
    },
  };
}

/**
 * Writes a line to the security log when a connection was refused a turn. A renewed credential belongs to the same user, so the caller of
 * the first request is the right one.
 */
function foreignTurns(
  { security }: Admission,
  caller: Principal,
  address: string,
): (turnId: string, reason: OwnerFault) => void {
  return (turnId, reason) => {
    security.noteResume({ who: security.presenterOf(caller, address), turnId, reason });
  };
}

/**
 * Polls and sends of a negotiated connection count no more than the frames of a WebSocket do
 * (`endpoints.transports.rateLimit`).
 */
function opensConnection(request: FastifyRequest): boolean {
  const { headers, routeOptions } = request;
  if (headers.upgrade !== undefined || routeOptions.url?.endsWith('/negotiate') === true) return true;
  return tokenOf(request) === undefined;
}

function countedCallerOf(
  { admission }: Pick<HubChannelOptions, 'admission'>,
  request: FastifyRequest,
): CountedCaller | undefined {
  return countedCaller(admission.identity.of(request).principal, networkOf(request.ip));
}

function callerPlaces({ admission, connectionRoom, metrics }: HubChannelOptions): CallerPlaces {
  const callerOfRequest = (request: FastifyRequest): CountedCaller | undefined =>
    countedCallerOf({ admission }, request);
  return {
    hasRoom: (request) => {
      const hasRoom = connectionRoom.has(callerOfRequest(request));
      if (hasRoom) return true;
      metrics.of(tenantOf(admission.identity.of(request).principal)).rateLimited('connection');
      admission.security.noteReason(request, 'connections');
      return false;
    },
    take: (request) => connectionRoom.hold(callerOfRequest(request)),
  };
}

/** The caller of a connection. A signed-in user's key is the user key, and an anonymous caller's key is empty. */
function callerOf({ principal, expiresAt }: Caller): HubCaller {
  const key = principal.kind === 'signed-in' ? principal.userKey : '';
  return { key, ...(expiresAt === undefined ? {} : { expiresAt }) };
}

function connectedEvent(
  connection: HubConnection,
  hub: HubSession,
  { options, budget }: { readonly options: HubChannelOptions; readonly budget: RemainingBudget | undefined },
): ConnectionHubEvents['Connected'] {
  const { principal, conversationId } = hub.session;
  const signedIn = principal.kind === 'signed-in';
  return {
    connectionId: connection.id,
    conversationId,
    user: { isAuthenticated: signedIn, name: signedIn ? principal.name : '' },
    settings: { ...options.connected(), ...(budget === undefined ? {} : { budget }) },
  };
}

function shutdownControl(control: ProtocolControl): HubControl {
  return {
    drain: (inSeconds) => {
      control.refuseNew();
      control.broadcast('ServerDraining', { inSeconds } satisfies ConnectionHubEvents['ServerDraining']);
    },
    closeAll: () => control.closeAll(),
  };
}
