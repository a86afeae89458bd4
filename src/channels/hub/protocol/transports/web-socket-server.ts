import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import websocket, { type WebSocket } from '@fastify/websocket';
import type { FastifyInstance } from 'fastify';
import type { ResolvedHub } from '../connection/hub-connections.ts';
import { fragmentLimit, frameLimit } from '../hub-limits.ts';
import { allowUpgrades } from './upgrade-gate.ts';

/**
 * Lets a hub's route accept WebSockets, and returns a function that ends this. When the server has its own `@fastify/websocket`, which
 * answers every upgrade, the hub's route becomes one of its routes. Otherwise the hub has its own copy, which gets only the upgrades of the
 * hub's path.
 */
export async function openWebSockets<State>(app: FastifyInstance, hub: ResolvedHub<State>): Promise<() => void> {
  const maxPayload = frameLimit(hub.limits);
  if (app.hasDecorator('websocketServer')) {
    const theirs = app.websocketServer.options.maxPayload ?? Infinity;
    if (theirs > maxPayload) {
      const message =
        'the maxPayload of @fastify/websocket is larger than this hub needs: clients can send frames of that size';
      hub.log.warn({ maxPayload: theirs, needed: maxPayload }, message);
    }
    return () => undefined;
  }
  // This emitter stands for a server: it is asked for nothing but its upgrades.
  const upgrades = new EventEmitter() as unknown as Server;
  await app.register(websocket, {
    options: {
      ...{ server: upgrades, perMessageDeflate: false, clientTracking: false, maxPayload },
      ...{ maxFragments: fragmentLimit(hub.limits), maxBufferedChunks: fragmentLimit(hub.limits) },
    },
    // ws has begun to close the socket when it reports an error. Only a socket that is still open needs an end.
    errorHandler: (error, socket) => {
      hub.log.debug({ error }, 'a hub socket failed');
      if (socket.readyState === socket.OPEN) socket.terminate();
    },
    // The hub closes its connections in its own way.
    preClose: (done) => {
      done();
    },
  });
  return allowUpgrades(app.server, {
    path: app.prefix + hub.path,
    mayUpgrade: hub.mayUpgrade ?? (() => true),
    upgrade: (...upgrade) => upgrades.emit('upgrade', ...upgrade),
  });
}

/**
 * Removes a socket from the list of the server's own `@fastify/websocket`, which would close it without a message of the protocol. The hub
 * closes its sockets itself.
 */
export function leaveToTheHub({ websocketServer }: FastifyInstance, socket: WebSocket): void {
  // Without `clientTracking` there is no such list, whatever the types say.
  const { clients } = websocketServer as { readonly clients?: Set<unknown> };
  clients?.delete(socket);
}
