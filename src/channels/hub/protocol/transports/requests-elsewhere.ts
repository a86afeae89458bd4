import type { preParsingHookHandler } from 'fastify';
import type { HubConnections, ResolvedHub } from '../connection/hub-connections.ts';
import type { HubReplicas, RequestElsewhere } from '../hub-replicas.ts';
import { refuse, tokenOf } from '../requests.ts';
import { type HubAdmission, noConnection } from './hub-admission.ts';

/** Requests of connections that another process of the hub has. They are answered there. */
export class RequestsElsewhere<State> {
  readonly #hub: ResolvedHub<State>;
  readonly #replicas: HubReplicas;
  readonly #connections: HubConnections<State>;
  readonly #admission: HubAdmission<State>;

  constructor(
    hub: ResolvedHub<State> & { readonly replicas: HubReplicas },
    connections: HubConnections<State>,
    admission: HubAdmission<State>,
  ) {
    this.#hub = hub;
    this.#replicas = hub.replicas;
    this.#connections = connections;
    this.#admission = admission;
  }

  /** For the routes of the transports: it answers before a body is read here. */
  // eslint-disable-next-line max-params -- Fastify's hook has four
  readonly hook: preParsingHookHandler = (request, reply, payload, next) => {
    // A WebSocket cannot be answered elsewhere. Its client opens another connection.
    if (request.ws) {
      next(null, payload);
      return;
    }
    this.answers({ request, reply, body: payload }).then((isAnswered) => {
      if (!isAnswered) next(null, payload);
    }, next);
  };

  /** Whether the request was answered elsewhere, or nobody can answer it any more. */
  async answers(elsewhere: RequestElsewhere): Promise<boolean> {
    const { request, reply } = elsewhere;
    const token = tokenOf(request);
    if (token === undefined) return false;
    // A token that was not made for this caller does not lead to another process.
    const connectionId = this.#admission.tokens.name(token, this.#hub.callers.of(request).key);
    if (connectionId === undefined || this.#connections.get(connectionId) !== undefined) return false;
    const owner = await this.#ownerOf(request, connectionId);
    if (owner === undefined) return false;
    if (!(await this.#replicas.forward(owner, elsewhere))) refuse(reply, noConnection);
    return true;
  }

  async #ownerOf(request: RequestElsewhere['request'], connectionId: string): Promise<string | undefined> {
    // What is posted before the GET waits in the process that has negotiated. A GET would rather begin a connection here.
    const mayBeNew = request.method === 'POST' ? 'mayBeNew' : undefined;
    try {
      return await this.#replicas.ownerOf(request, connectionId, mayBeNew);
    } catch (error) {
      // A stream of events always begins a connection, and connections begin also while others cannot be asked.
      if (request.method === 'GET' && wantsEvents(request)) return undefined;
      throw error;
    }
  }
}

/** Whether a GET asks for a stream of events, and not for a poll. */
export function wantsEvents({ headers }: Pick<RequestElsewhere['request'], 'headers'>): boolean {
  return headers.accept?.includes('text/event-stream') === true;
}
