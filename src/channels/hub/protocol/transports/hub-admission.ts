import type { FastifyRequest } from 'fastify';
import { ConnectionTokens, newConnectionId, type OpenedToken } from '../connection-token.ts';
import type { HubConnection } from '../connection/hub-connection.ts';
import type { HubConnections, Opened, ResolvedHub } from '../connection/hub-connections.ts';
import type { HubCaller } from '../hub-callers.ts';
import type { HubReplicas } from '../hub-replicas.ts';
import type { TransportName } from '../hub-transport.ts';
import { type HubRefusal, tokenOf } from '../requests.ts';
import { EarlyPosts } from './early-posts.ts';
import { UsedTokens } from './used-tokens.ts';

const usedTokenCapacity = 200_000;

/** Decides which connections may begin. It checks the capacity first, and then the token. */
export class HubAdmission<State> {
  readonly tokens: ConnectionTokens;
  readonly #hub: ResolvedHub<State>;
  readonly #connections: HubConnections<State>;
  readonly #used: UsedTokens;
  readonly #early: EarlyPosts;
  #refusing = false;

  constructor(hub: ResolvedHub<State>, connections: HubConnections<State>) {
    const lifetimeMs = hub.timings.tokenMs;
    this.#hub = hub;
    this.#connections = connections;
    const { replica, skewMs = 0 } = hub.replicas ?? {};
    this.tokens = new ConnectionTokens({ keys: hub.tokenKeys, lifetimeMs, now: Date.now, skewMs, replica });
    // A clock that is behind the one that made the token takes the token for longer.
    this.#used = new UsedTokens({ lifetimeMs: lifetimeMs + 2 * skewMs, capacity: usedTokenCapacity, now: Date.now });
    this.#early = new EarlyPosts({ limits: hub.limits, lifetimeMs });
    hub.replicas?.offerEarly((connectionId) => this.#early.take(connectionId));
    hub.replicas?.onTaken((connectionId) => connections.get(connectionId)?.close({ allowReconnect: true }));
  }

  refuseNew(): void {
    this.#refusing = true;
  }

  /** Whether there is room for one more connection of this caller. */
  capacityRefusal(request: FastifyRequest): HubRefusal | undefined {
    const { limits } = this.#hub;
    if (this.#refusing) return { status: 503, text: 'The server is shutting down. Try again.' };
    if (this.#connections.size >= limits.maxConnections) return { status: 503, text: 'Too many connections.' };
    if (this.#connections.hasRoom(request)) return undefined;
    return { status: 429, text: 'Too many connections from this caller.' };
  }

  /** The live connection whose client comes back with this WebSocket request (stateful reconnect). */
  returning(request: FastifyRequest): HubConnection | undefined {
    const token = tokenOf(request);
    const live = token === undefined ? undefined : this.find(token, this.#hub.callers.of(request));
    return live?.reconnectable === true ? live : undefined;
  }

  /**
   * The connection that this request opens. The call spends the token. A request without a token has skipped negotiation. The place is
   * reserved from now on, so that requests which are admitted at the same moment do not all take the last place. Only where other processes
   * share the hub, there is something to wait for.
   */
  open(request: FastifyRequest, transport: TransportName): Opened | HubRefusal | Promise<Opened | HubRefusal> {
    const token = tokenOf(request);
    const caller = this.#hub.callers.of(request);
    const live = token === undefined ? undefined : this.find(token, caller);
    if (live !== undefined) return live.transport.name === transport ? alreadyOpen : otherTransport;
    const connectionId = token === undefined ? undefined : this.tokens.name(token, caller.key);
    // These posts had a place, which is free again now. The connection takes that place.
    const early = connectionId === undefined ? [] : this.#early.take(connectionId);
    const admitted = this.capacityRefusal(request) ?? this.#admit(token, caller);
    if ('status' in admitted) return admitted;
    const opened = { ...admitted, early, place: this.#connections.reserve(request) };
    const { replicas } = this.#hub;
    // Nobody else can have a connection that begins with its request.
    return replicas === undefined || token === undefined ? opened : claimed(opened, transport, replicas);
  }

  /** Keeps what a client posts before the GET that opens its connection. Returns why it is not kept. */
  keepEarly(request: FastifyRequest, bytes: Buffer): HubRefusal | undefined {
    const token = tokenOf(request);
    if (token === undefined) return noToken;
    const opened = this.tokens.open(token, this.#hub.callers.of(request).key);
    if (opened === 'unknown' || opened === 'expired' || this.#used.has(opened.connectionId)) return noConnection;
    if (bytes.length === 0) return undefined;
    return this.#early.keep(
      opened.connectionId,
      bytes,
      () => this.capacityRefusal(request) ?? this.#connections.reserve(request),
    );
  }

  /** The live connection of this caller that the token has opened. */
  find(token: string, caller: HubCaller): HubConnection | undefined {
    const connectionId = this.tokens.name(token, caller.key);
    return connectionId === undefined ? undefined : this.#connections.get(connectionId);
  }

  #admit(token: string | undefined, caller: HubCaller): OpenedToken | HubRefusal {
    if (token === undefined) return { connectionId: newConnectionId(this.#hub.replicas?.replica), stateful: false };
    const opened = this.tokens.open(token, caller.key);
    if (opened === 'unknown' || opened === 'expired') return noConnection;
    const spent = this.#used.spend(opened.connectionId);
    if (spent === 'full') return { status: 503, text: 'Too many connections were opened lately.' };
    return spent === 'used' ? noConnection : opened;
  }
}

/** The connection with its name in all processes, which it gives back with its place, and with what was posted for it elsewhere. */
async function claimed(opened: Opened, transport: TransportName, replicas: HubReplicas): Promise<Opened | HubRefusal> {
  const { connectionId, place } = opened;
  if (!(await replicas.claim(connectionId))) {
    place.release();
    return noConnection;
  }
  const release = (): void => {
    place.release();
    replicas.release(connectionId);
  };
  // Nothing is posted for a WebSocket.
  const early = transport === 'WebSockets' ? [] : await replicas.takeEarly(connectionId);
  return { ...opened, place: { release }, early: [...opened.early, ...early] };
}

/** The refusal of a request without a token, where a token is needed. */
export const noToken: HubRefusal = { status: 400, text: 'Connection ID required' };
/** The refusal of a token that never opened a connection, or whose connection is gone. */
export const noConnection: HubRefusal = { status: 404, text: 'No Connection with that ID' };
/** The refusal of a request over another transport than the one that opened the connection. */
export const otherTransport: HubRefusal = { status: 400, text: 'Cannot change transports mid-connection.' };
const alreadyOpen: HubRefusal = { status: 409, text: 'The connection is open already.' };
