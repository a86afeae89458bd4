import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import type { Crowding } from './codec/crowding.ts';
import type { CallerPlaces, Place } from './connection/connection-places.ts';
import type { Schedule } from './connection/outbox.ts';
import type { TokenKeys } from './connection-token.ts';
import type { HubApplication } from './hub-application.ts';
import type { HubCaller } from './hub-callers.ts';
import type { HubLimits, HubLog, HubTimings } from './hub-limits.ts';
import type { HubReplicas } from './hub-replicas.ts';

/** What the owner of a hub may do with all its connections at once, on the way to a shutdown. */
export interface HubControl {
  /** Refuses negotiations and new connections with 503 from now on. */
  refuseNew(): void;
  /** Sends one event to every connection that has finished its handshake. */
  broadcast(target: string, argument: object): void;
  /**
   * Refuses new connections and sends Close with `allowReconnect` to the open ones; resolves when all sockets are gone
   * (at most `closeMs` later).
   */
  closeAll(): Promise<void>;
}

/** Calls the listener once nobody reads an answer any more; at once where that is so already. */
export type OnceOver = (reply: FastifyReply, listener: () => void) => void;

/** Options of the plugin `signalRHub`. */
export interface SignalRHubOptions<State> {
  /** The hub's address, relative to the prefix of the registering instance; `/negotiate` is added to it. */
  readonly path: string;
  /**
   * The present keys of the HMAC that signs connection tokens, at least 32 random bytes each: the same in all processes that share the hub.
   */
  readonly tokenKeys: () => TokenKeys;
  /** The other processes that share the hub. Default: there are none. */
  readonly replicas?: HubReplicas | undefined;
  readonly application: HubApplication<State>;
  readonly log: HubLog;
  /** Throws to refuse a request, for example one with a foreign Origin. Fastify's error handler answers then. */
  readonly guard?: (request: FastifyRequest) => void;
  /**
   * Tells who makes a request, by the credential of each request. MUST throw for a credential that is presented and not valid. Browsers
   * send theirs as `access_token` in the query of a GET. Default: callers are not told apart.
   */
  readonly authenticate?: (request: FastifyRequest) => HubCaller | Promise<HubCaller>;
  /**
   * Whether an error of `authenticate` is about the credential. `/refresh` answers such an error in its own words. Default: every error is.
   */
  readonly isCredentialFault?: (error: unknown) => boolean;
  /**
   * Counts the connections of each caller. Default: up to `limits.maxConnectionsPerKey` by the caller's key, or by the address of a caller
   * without a key.
   */
  readonly callerPlaces?: CallerPlaces;
  /**
   * Reserves room for bytes of an unfinished message of the request's caller. Undefined when there is no room: the connection is closed
   * then, and may come back. Default: only `limits.maxMessageBytes` limits each connection.
   */
  readonly arrivalRoom?: (request: FastifyRequest, bytes: number) => Place | undefined;
  /**
   * Tells when an answer is over. Default: when its response closes. One that waits behind another one of its socket does not close with that
   * socket.
   */
  readonly onceOver?: OnceOver;
  /** Whether a request may become a WebSocket now. A request that may not is answered as HTTP. Default: it may. */
  readonly mayUpgrade?: (request: IncomingMessage) => boolean;
  /**
   * Only `control` closes connections. It MUST do so before the server can close. Default: connections are closed as soon as the server
   * begins to close.
   */
  readonly closesByControl?: boolean;
  /** What no message has more of. Default: a message may be as wide as it is long. */
  readonly crowding?: Crowding;
  readonly limits?: Partial<HubLimits>;
  readonly timings?: Partial<HubTimings>;
  /** Decides when the records of a connection are sent. Default: in a microtask. */
  readonly schedule?: Schedule;
  /** The names under which users know two limits, for the texts of Close messages. Default: the names of the limits. */
  readonly settingNames?: { readonly maxMessageBytes?: string; readonly maxBufferedBytes?: string };
  /**
   * The schemas of the two routes that are plain HTTP. They check requests, and describe the routes to code that collects the schemas of
   * all routes.
   */
  readonly schemas?: { readonly negotiate: FastifySchema; readonly refresh: FastifySchema };
  /** Called once, while the plugin loads. */
  readonly control?: (control: HubControl) => void;
}
