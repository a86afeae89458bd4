import type { IncomingMessage } from 'node:http';
import type { FastifyRequest, FastifySchema } from 'fastify';
import type { CallerPlaces, Place } from './connection/connection-places.ts';
import type { Schedule } from './connection/outbox.ts';
import type { HubApplication } from './hub-application.ts';
import type { HubCaller } from './hub-callers.ts';
import type { HubLimits, HubLog, HubTimings } from './hub-limits.ts';

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

/** Options of the plugin `signalRHub`. */
export interface SignalRHubOptions<State> {
  /** The hub's address, relative to the prefix of the registering instance; `/negotiate` is added to it. */
  readonly path: string;
  /** Key of the HMAC that signs connection tokens: at least 32 random bytes, the same in all processes that share the hub. */
  readonly tokenKey: Uint8Array;
  readonly application: HubApplication<State>;
  readonly log: HubLog;
  /** Throws to refuse a request (a foreign Origin); Fastify's error handler answers. */
  readonly guard?: (request: FastifyRequest) => void;
  /**
   * Says who makes a request, by its credential; asked on each. MUST throw for one that is presented and invalid.
   * Browsers send theirs as `access_token` in the query of a GET. Default: nobody is told apart.
   */
  readonly authenticate?: (request: FastifyRequest) => HubCaller | Promise<HubCaller>;
  /** Whether what `authenticate` threw is about the credential: `/refresh` has words of its own for that. Default: all is. */
  readonly isCredentialFault?: (error: unknown) => boolean;
  /**
   * Counts the connections of each caller. Default: by its key, or by its address when it has none, up to
   * `limits.maxConnectionsPerKey`.
   */
  readonly callerPlaces?: CallerPlaces;
  /**
   * Takes room for bytes of a message that is not whole yet, of the caller of a request; undefined when there is none. The
   * connection is closed then, and may come back. Default: `limits.maxMessageBytes` of each connection are the only bound.
   */
  readonly arrivalRoom?: (request: FastifyRequest, bytes: number) => Place | undefined;
  /** Whether a request may become a WebSocket now; one that may not is answered as HTTP. Default: it may. */
  readonly mayUpgrade?: (request: IncomingMessage) => boolean;
  /**
   * Connections are closed by `control` alone, which MUST happen before the server can close. Default: they are closed as soon as the
   * server begins to close.
   */
  readonly closesByControl?: boolean;
  readonly limits?: Partial<HubLimits>;
  readonly timings?: Partial<HubTimings>;
  /** When the records of a connection are sent. Default: in a microtask. */
  readonly schedule?: Schedule;
  /** The names under which users know two limits, for the texts of Close. Default: the names above. */
  readonly settingNames?: { readonly maxMessageBytes?: string; readonly maxBufferedBytes?: string };
  /** The schemas of the two routes that are plain HTTP, for whoever collects those of all routes. Requests are checked by them. */
  readonly schemas?: { readonly negotiate: FastifySchema; readonly refresh: FastifySchema };
  /** Called once, while the plugin loads. */
  readonly control?: (control: HubControl) => void;
}
