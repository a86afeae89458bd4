import type { FastifyRequest } from 'fastify';
import type { OpenedToken } from '../connection-token.ts';
import { deadlineOf, type HubCallers } from '../hub-callers.ts';
import type { HubLimits, HubTimings } from '../hub-limits.ts';
import type { OnceOver, SignalRHubOptions } from '../hub-options.ts';
import type { HubTransport } from '../hub-transport.ts';
import type { ConnectionHandler } from './connection-handler.ts';
import { type CallerPlaces, ConnectionPlaces, type Place } from './connection-places.ts';
import { HubConnection } from './hub-connection.ts';
import { InvocationDispatcher, methodLookup } from './invocation-dispatcher.ts';
import type { MethodLookup } from './invocation-dispatcher.ts';
import type { Schedule } from './outbox.ts';

const shortestTick = 10;
const longestTick = 1000;

/** Options of a hub with every default filled in. */
export interface ResolvedHub<State> extends SignalRHubOptions<State> {
  readonly limits: HubLimits;
  readonly timings: HubTimings;
  readonly callers: HubCallers;
  readonly callerPlaces: CallerPlaces;
  readonly onceOver: OnceOver;
  readonly schedule: Schedule;
  readonly settingNames: { readonly maxMessageBytes: string; readonly maxBufferedBytes: string };
}

/** A connection that may begin, and the place that is reserved for it. */
export interface Opened extends OpenedToken {
  readonly place: Place;
  /** Bytes that the client has posted before the connection began. */
  readonly early: readonly Buffer[];
}

/** All live connections of one hub, and the one timer that looks after them. */
export class HubConnections<State> {
  readonly #hub: ResolvedHub<State>;
  readonly #methods: MethodLookup<State>;
  readonly #live = new Map<string, HubConnection>();
  readonly #places: ConnectionPlaces;
  readonly #timer: NodeJS.Timeout;
  #whenEmpty: (() => void)[] = [];

  constructor(hub: ResolvedHub<State>) {
    this.#hub = hub;
    this.#places = new ConnectionPlaces(hub.callerPlaces);
    this.#methods = methodLookup(hub.application.methods);
    // The interval is a quarter of the shortest timeout, so that no timeout is late by more than that. 0 stands for no timeout.
    const times = Object.values(hub.timings).filter((time: number) => time > 0);
    const tickMs = Math.max(shortestTick, Math.min(longestTick, ...times.map((time: number) => Math.ceil(time / 4))));
    this.#timer = setInterval(() => {
      for (const connection of this.#live.values()) connection.tick();
    }, tickMs).unref();
  }

  /** The number of connections, including reserved places. */
  get size(): number {
    return this.#places.taken;
  }

  get(connectionId: string): HubConnection | undefined {
    return this.#live.get(connectionId);
  }

  /** Whether the caller of a request may have one more connection. */
  hasRoom(request: FastifyRequest): boolean {
    return this.#places.hasRoom(request);
  }

  /** Reserves a place for the connection that this request is about to begin. */
  reserve(request: FastifyRequest): Place {
    return this.#places.take(request);
  }

  /** Adds the connection that begins with this request, over a transport that is open. The connection gives its place back when it ends. */
  add(opened: Opened, transport: HubTransport, request: FastifyRequest): HubConnection {
    const id = opened.connectionId;
    const { limits, timings, settingNames, crowding, log, schedule } = this.#hub;
    const { arrivalRoom } = this.#hub;
    const connection = new HubConnection({
      id,
      ...(arrivalRoom && { takeArrivalRoom: (bytes) => arrivalRoom(request, bytes) }),
      transport,
      // WebSocket is the only transport over which a client can come back.
      stateful: opened.stateful && transport.name === 'WebSockets',
      limits,
      timings,
      settingNames,
      crowding,
      log,
      schedule,
      now: () => performance.now(),
      onOpen: (begun) => this.#start(begun, request),
      onClosed: () => {
        opened.place.release();
        this.#remove(id);
      },
    });
    this.#live.set(id, connection);
    connection.expireAt(deadlineOf(this.#hub.callers.of(request)));
    return connection;
  }

  /** Called when the client of a connection is back with this request, which carries a fresh credential. */
  comeBack(connection: HubConnection, transport: HubTransport, request: FastifyRequest): void {
    connection.renew(deadlineOf(this.#hub.callers.of(request)), request);
    connection.reconnect(transport);
  }

  broadcast(target: string, argument: object): void {
    for (const connection of this.#live.values()) connection.sendEvent(target, argument);
  }

  /** Close with `allowReconnect` for everyone; resolves when all sockets are gone. */
  async closeAll(): Promise<void> {
    for (const connection of this.#live.values()) connection.close({ allowReconnect: true });
    if (this.#live.size > 0) await new Promise<void>((resolve) => this.#whenEmpty.push(resolve));
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #start(connection: HubConnection, request: FastifyRequest): ConnectionHandler {
    const { application, limits, log } = this.#hub;
    const state = application.connected(connection, request);
    const dispatcher = new InvocationDispatcher({ connection, state, methods: this.#methods, limits, log });
    return {
      receive: (message) => {
        dispatcher.receive(message);
      },
      renewed: (shown) => {
        application.renewed?.(state, shown);
      },
      cameBack: () => {
        application.cameBack?.(state);
      },
      ended: (ending) => {
        dispatcher.abandon();
        application.disconnected(state, ending);
      },
    };
  }

  #remove(id: string): void {
    this.#live.delete(id);
    if (this.#live.size > 0) return;
    for (const resolve of this.#whenEmpty) resolve();
    this.#whenEmpty = [];
  }
}
