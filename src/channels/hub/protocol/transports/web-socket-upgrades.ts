import type { WebSocket } from '@fastify/websocket';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HubConnection } from '../connection/hub-connection.ts';
import type { HubConnections, Opened } from '../connection/hub-connections.ts';
import { refuse } from '../requests.ts';
import type { HubAdmission } from './hub-admission.ts';
import { webSocketFault } from './web-socket-fault.ts';
import { connectWebSocket, webSocketTransport } from './web-socket-transport.ts';

/** A request that cannot become a WebSocket; Fastify's error handler answers. */
class BadUpgrade extends Error {
  override readonly name = 'BadUpgrade';
  readonly statusCode = 400;
}

/** Requests that become WebSockets. A request is refused before the upgrade if necessary, and belongs to a connection afterwards. */
export class WebSocketUpgrades<State> {
  readonly #connections: HubConnections<State>;
  readonly #admission: HubAdmission<State>;
  readonly #admitted = new WeakMap<FastifyRequest, Opened | HubConnection>();

  constructor(connections: HubConnections<State>, admission: HubAdmission<State>) {
    this.#connections = connections;
    this.#admission = admission;
  }

  /** Must run before the answer 101, because nothing can be refused after that. Returns the answer to a refused request. */
  async admit(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const fault = webSocketFault(request.headers);
    if (fault !== undefined) {
      void reply.header('sec-websocket-version', '13, 8');
      throw new BadUpgrade(fault);
    }
    const opened = this.#admission.returning(request) ?? (await this.#admission.open(request, 'WebSockets'));
    if ('status' in opened) return refuse(reply, opened);
    this.#admitted.set(request, opened);
    whenGone(request, () => {
      const wasLeft = this.#admitted.delete(request);
      if (wasLeft && !(opened instanceof HubConnection)) opened.place.release();
    });
    return undefined;
  }

  /** The socket of an admitted request is open. */
  connect(socket: WebSocket, request: FastifyRequest): void {
    const opened = this.#admitted.get(request);
    this.#admitted.delete(request);
    if (opened === undefined) {
      socket.terminate();
      return;
    }
    const transport = webSocketTransport(socket);
    const connection = this.#connectionOf(opened, transport, request);
    connectWebSocket(socket, transport, { connection, line: request.raw.socket });
  }

  #connectionOf(
    opened: Opened | HubConnection,
    transport: ReturnType<typeof webSocketTransport>,
    request: FastifyRequest,
  ): HubConnection {
    if (!(opened instanceof HubConnection)) return this.#connections.add(opened, transport, request);
    this.#connections.comeBack(opened, transport, request);
    return opened;
  }
}

/** Calls back when the client has left, even if it left earlier. */
function whenGone({ raw: { socket } }: FastifyRequest, callback: () => void): void {
  if (socket.destroyed) callback();
  else socket.once('close', callback);
}
