import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import websocket, { type WebSocket } from '@fastify/websocket';
import type { FastifyInstance } from 'fastify';
import type { ResolvedHub } from '../connection/hub-connections.ts';
import { frameLimit } from '../hub-limits.ts';
import { allowUpgrades } from './upgrade-gate.ts';

/**
 * Lets a hub's route take WebSockets, and returns what ends that. Where the server has `@fastify/websocket` of its own, which answers
 * every upgrade, the hub's route is one of its routes. Else the hub has a copy that sees the upgrades of the hub's path alone.
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
    options: { server: upgrades, perMessageDeflate: false, clientTracking: false, maxPayload },
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

/** The hub ends its sockets by itself: a server's own `@fastify/websocket` would close them without a word of the protocol. */
export function leaveToTheHub({ websocketServer }: FastifyInstance, socket: WebSocket): void {
  // Without `clientTracking` there is no such list, whatever the types say.
  const { clients } = websocketServer as { readonly clients?: Set<unknown> };
  clients?.delete(socket);
}
