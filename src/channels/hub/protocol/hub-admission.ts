import type { FastifyRequest } from 'fastify';
import { ConnectionTokens, newConnectionId } from './connection-token.ts';
import type { HubConnections, ResolvedHub } from './hub-connections.ts';
import { UsedTokens } from './used-tokens.ts';

const usedTokenCapacity = 200_000;

/** Why a request was not let in: status and plain text, the hub protocol's own shape of an error. */
export interface HubRefusal {
  readonly status: 400 | 404 | 405 | 409 | 429 | 503;
  readonly text: string;
}

/** Who comes in: capacity first, then the token. */
export class HubAdmission<State> {
  readonly tokens: ConnectionTokens;
  readonly #hub: ResolvedHub<State>;
  readonly #connections: HubConnections<State>;
  readonly #used: UsedTokens;
  #refusing = false;

  constructor(hub: ResolvedHub<State>, connections: HubConnections<State>) {
    const lifetimeMs = hub.timings.tokenMs;
    this.#hub = hub;
    this.#connections = connections;
    this.tokens = new ConnectionTokens({ key: hub.tokenKey, lifetimeMs, now: Date.now });
    this.#used = new UsedTokens({ lifetimeMs, capacity: usedTokenCapacity, now: Date.now });
  }

  refuseNew(): void {
    this.#refusing = true;
  }

  /** Whether there is room for one more connection of this caller. */
  capacityRefusal(request: FastifyRequest): HubRefusal | undefined {
    const { limits, limitKey } = this.#hub;
    if (this.#refusing) return { status: 503, text: 'The server is shutting down. Try again.' };
    if (this.#connections.size >= limits.maxConnections) return { status: 503, text: 'Too many connections.' };
    if (this.#connections.sizeOf(limitKey(request)) < limits.maxConnectionsPerKey) return undefined;
    return { status: 429, text: 'Too many connections from this caller.' };
  }

  /** The id of the connection this upgrade opens. A token is spent by asking; none means negotiation was skipped. */
  open(token: string | undefined): { readonly connectionId: string } | HubRefusal {
    if (token === undefined) return { connectionId: newConnectionId() };
    const opened = this.tokens.open(token);
    if (opened === 'unknown' || opened === 'expired') return noConnection;
    if (this.#connections.has(opened.connectionId)) {
      return { status: 409, text: 'The connection is open already.' };
    }
    const spent = this.#used.spend(opened.connectionId);
    if (spent === 'full') return { status: 503, text: 'Too many connections were opened lately.' };
    return spent === 'used' ? noConnection : opened;
  }

  /** A request that is neither an upgrade nor a negotiation: the other transports' addresses. */
  otherRequest(token: string | undefined): HubRefusal {
    if (token === undefined) return { status: 400, text: 'Connection ID required' };
    const opened = this.tokens.open(token);
    return typeof opened === 'object' && this.#connections.has(opened.connectionId)
      ? { status: 405, text: 'The connection uses WebSockets.' }
      : noConnection;
  }
}

const noConnection: HubRefusal = { status: 404, text: 'No Connection with that ID' };
