import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HubConnection } from '../connection/hub-connection.ts';
import type { HubConnections, Opened, ResolvedHub } from '../connection/hub-connections.ts';
import { deadlineOf } from '../hub-callers.ts';
import { type HubRefusal, refuse, tokenOf } from '../requests.ts';
import { type HubAdmission, noConnection, noToken } from './hub-admission.ts';
import { LongPollingTransport } from './long-polling-transport.ts';
import { wantsEvents } from './requests-elsewhere.ts';
import { connectEventStream, serverSentEventsTransport } from './server-sent-events-transport.ts';

const webSocketsTakeNoPost: HubRefusal = { status: 405, text: 'The connection uses WebSockets: it takes no POST.' };
const notPolling: HubRefusal = { status: 400, text: 'Only LongPolling connections end by DELETE.' };

export interface HttpTransportsOptions<State> {
  readonly hub: ResolvedHub<State>;
  readonly connections: HubConnections<State>;
  readonly admission: HubAdmission<State>;
}

/** ServerSentEvents and LongPolling: connections that consist of HTTP requests with the same token. */
export class HttpTransports<State> {
  readonly #options: HttpTransportsOptions<State>;

  constructor(options: HttpTransportsOptions<State>) {
    this.#options = options;
  }

  /** GET: the stream of a new connection, or the next poll of a live one. */
  async listen(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const token = tokenOf(request);
    if (token === undefined) return refuse(reply, noToken);
    const { admission, hub } = this.#options;
    const isStream = wantsEvents(request);
    const caller = hub.callers.of(request);
    const connection = admission.find(token, caller);
    const live = connection?.transport;
    if (live instanceof LongPollingTransport && !isStream) {
      // Clients show a fresh credential with each poll.
      connection?.renew(deadlineOf(caller), request);
      live.poll(reply);
      return reply;
    }
    const opened = await admission.open(request, isStream ? 'ServerSentEvents' : 'LongPolling');
    if ('status' in opened) return refuse(reply, opened);
    if (isStream) this.#openStream(opened, reply);
    else this.#openPolling(opened, reply);
    return reply;
  }

  /** POST: bytes from the client. Some send the first ones before the GET that opens their connection. */
  receive(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const connection = this.#find(request);
    if ('status' in connection) {
      const refusal = this.#options.admission.keepEarly(request, bytes);
      if (refusal !== undefined) return refuse(reply, refusal);
    } else {
      if (connection.transport.name === 'WebSockets') return refuse(reply, webSocketsTakeNoPost);
      connection.receive(bytes);
    }
    return reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8').send('');
  }

  /** DELETE: the client's goodbye. */
  end(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const connection = this.#find(request);
    if ('status' in connection) return refuse(reply, connection);
    if (connection.transport.name !== 'LongPolling') return refuse(reply, notPolling);
    connection.transportEnding('graceful');
    connection.transport.terminate();
    return reply.code(202).header('cache-control', 'no-store').type('text/plain; charset=utf-8').send('');
  }

  #find(request: FastifyRequest): HubConnection | HubRefusal {
    const token = tokenOf(request);
    const { admission, hub } = this.#options;
    if (token === undefined) return noToken;
    return admission.find(token, hub.callers.of(request)) ?? noConnection;
  }

  #openStream(opened: Opened, reply: FastifyReply): void {
    const transport = serverSentEventsTransport(reply);
    const connection = this.#options.connections.add(opened, transport, reply.request);
    connectEventStream(reply, connection, this.#options.hub.onceOver);
    for (const bytes of opened.early) connection.receive(bytes);
  }

  #openPolling(opened: Opened, reply: FastifyReply): void {
    const { connections, hub } = this.#options;
    const transport = new LongPollingTransport({
      ...hub.timings,
      onceOver: hub.onceOver,
      now: () => performance.now(),
    });
    const connection = connections.add(opened, transport, reply.request);
    void transport.gone.then(() => {
      connection.transportClosed('dropped');
    });
    transport.poll(reply);
    for (const bytes of opened.early) connection.receive(bytes);
  }
}
