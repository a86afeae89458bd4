import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { placesPerKey } from './connection/connection-places.ts';
import { HubAdmission } from './transports/hub-admission.ts';
import { HubCallers } from './hub-callers.ts';
import { HttpTransports } from './transports/http-transports.ts';
import { HubConnections } from './connection/hub-connections.ts';
import type { ResolvedHub } from './connection/hub-connections.ts';
import { defaultHubLimits, defaultHubTimings, frameLimit } from './hub-limits.ts';
import type { SignalRHubOptions } from './hub-options.ts';
import { inMicrotask } from './connection/outbox.ts';
import { negotiate } from './transports/negotiate.ts';
import { addRefreshRoute } from './refresh-route.ts';
import { queryValue, refuse } from './requests.ts';
import { RequestsElsewhere } from './transports/requests-elsewhere.ts';
import { leaveToTheHub, openWebSockets } from './transports/web-socket-server.ts';
import { WebSocketUpgrades } from './transports/web-socket-upgrades.ts';

const negotiateBodyLimit = 4_096;

/**
 * The server side of the ASP.NET Core SignalR hub protocol as a Fastify plugin: official clients connect unmodified.
 * Register it without `fastify-plugin`, so that its hooks and parsers stay inside.
 */
export async function signalRHub<State>(app: FastifyInstance, options: SignalRHubOptions<State>): Promise<void> {
  const hub = resolve(options);
  const connections = new HubConnections(hub);
  const admission = new HubAdmission(hub, connections);
  const { replicas } = hub;
  const elsewhere =
    replicas === undefined ? undefined : new RequestsElsewhere({ ...hub, replicas }, connections, admission);
  const endUpgrades = await openWebSockets(app, hub);
  app.addHook('preClose', async () => {
    admission.refuseNew();
    endUpgrades();
    if (hub.closesByControl !== true) await connections.closeAll();
  });
  app.addHook('onClose', () => {
    connections.stop();
    return Promise.resolve();
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
  addNegotiateRoutes(app, hub, admission);
  addRefreshRoute(app, hub, { admission, elsewhere });
  addHubRoutes(app, hub, { connections, admission, elsewhere });
  hub.control?.({
    refuseNew: () => {
      admission.refuseNew();
    },
    broadcast: (target, argument) => {
      connections.broadcast(target, argument);
    },
    closeAll: () => {
      admission.refuseNew();
      return connections.closeAll();
    },
  });
}

function resolve<State>(options: SignalRHubOptions<State>): ResolvedHub<State> {
  const limits = { ...defaultHubLimits, ...options.limits };
  const callers = new HubCallers(options);
  const keyOf = (request: FastifyRequest): string => {
    const { key } = callers.of(request);
    return key === '' ? `address ${request.ip}` : `caller ${key}`;
  };
  return {
    ...options,
    limits,
    timings: { ...defaultHubTimings, ...options.timings },
    callers,
    callerPlaces: options.callerPlaces ?? placesPerKey(limits.maxConnectionsPerKey, keyOf),
    schedule: options.schedule ?? inMicrotask,
    onceOver: options.onceOver ?? onceClosed,
    settingNames: { maxMessageBytes: 'maxMessageBytes', maxBufferedBytes: 'maxBufferedBytes', ...options.settingNames },
  };
}

function onceClosed({ raw }: FastifyReply, listener: () => void): void {
  if (raw.destroyed) listener();
  else raw.once('close', listener);
}

function addNegotiateRoutes<State>(
  app: FastifyInstance,
  hub: ResolvedHub<State>,
  admission: HubAdmission<State>,
): void {
  const url = `${hub.path}/negotiate`;
  const onRequest = (request: FastifyRequest): Promise<void> => hub.callers.admit(request);
  app.post(
    url,
    { bodyLimit: negotiateBodyLimit, onRequest, schema: hub.schemas?.negotiate ?? {} },
    (request, reply) => {
      const refusal = admission.capacityRefusal(request);
      if (refusal !== undefined) return refuse(reply, refusal);
      const answer = negotiate(
        {
          negotiateVersion: queryValue(request, 'negotiateVersion'),
          stateful:
            hub.timings.reconnectMs > 0 && queryValue(request, 'useStatefulReconnect')?.toLowerCase() === 'true',
          caller: hub.callers.of(request),
        },
        admission.tokens,
      );
      return reply.header('cache-control', 'no-store').send(answer);
    },
  );
  app.route({
    method: ['GET', 'PUT', 'PATCH', 'DELETE'],
    url,
    handler: (_request, reply) => refuse(reply.header('allow', 'POST'), { status: 405, text: 'Negotiate with POST.' }),
  });
}

interface HubParts<State> {
  readonly connections: HubConnections<State>;
  readonly admission: HubAdmission<State>;
  readonly elsewhere: RequestsElsewhere<State> | undefined;
}

function addHubRoutes<State>(app: FastifyInstance, hub: ResolvedHub<State>, parts: HubParts<State>): void {
  const { connections, admission, elsewhere } = parts;
  // Where no other process shares the hub, requests meet no further hook.
  const hooks = elsewhere === undefined ? {} : { preParsing: elsewhere.hook };
  const transports = new HttpTransports({ hub, connections, admission });
  const upgrades = new WebSocketUpgrades(connections, admission);
  const onRequest = (request: FastifyRequest): Promise<void> => hub.callers.admit(request);
  app.route({
    method: 'GET',
    url: hub.path,
    onRequest,
    ...hooks,
    // An upgrade can be refused only here: after it, the answer is 101.
    preValidation: async (request, reply) => (request.ws ? upgrades.admit(request, reply) : undefined),
    handler: (request, reply) => transports.listen(request, reply),
    wsHandler: (socket, request) => {
      leaveToTheHub(app, socket);
      upgrades.connect(socket, request);
    },
  });
  const bodyLimit = frameLimit(hub.limits);
  app.post(hub.path, { bodyLimit, onRequest, ...hooks }, (request, reply) => transports.receive(request, reply));
  app.delete(hub.path, { onRequest, ...hooks }, (request, reply) => transports.end(request, reply));
}
