import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer, type ServerOptions } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Logger } from '../../core/ports/logger.ts';
import { answerMalformed } from './answer-malformed.ts';
import type { Certificate } from './live-certificate.ts';
import { RequestsInTurn, type HandleRequest } from './requests-in-turn.ts';
import type { RequestsPerAddress } from './requests-per-address.ts';

/** contract/sse.md#faults: the header size limit. */
const maxHeaderSize = 64 * 1024;
/** Idle connections end after this time. Other time-outs of sockets would cut quiet streams. */
const keepAliveTimeout = 72_000;
/** How often it is looked for requests that take too long to arrive. */
const checkMs = 1000;
/** Milliseconds between two log lines that tell of sockets that were dropped. */
const dropLogMs = 60_000;

export interface HttpServersOptions {
  /** Milliseconds a request may take to arrive, from its first byte, or from the opening of its socket, to its last. */
  readonly requestTimeout: number;
  /** Open sockets in all; the next is dropped. */
  readonly maxSockets: number;
  /** Undefined serves http. */
  readonly tls: Certificate | undefined;
  readonly perAddress: RequestsPerAddress;
  readonly log: Logger;
}

/**
 * The servers of Node that one Fastify instance listens with: one, and a second where it listens on `localhost`, which is an address of
 * IPv4 and one of IPv6. Both bound what a client may make them hold.
 */
export class HttpServers {
  readonly #options: HttpServersOptions;
  readonly #sockets = new Set<Socket>();
  readonly #secure: SecureServer[] = [];
  readonly #inTurn: RequestsInTurn;
  #handle: HandleRequest = () => undefined;
  #second: Server | undefined;
  #dropsLoggedAt = -Infinity;

  constructor(options: HttpServersOptions) {
    this.#options = options;
    this.#inTurn = new RequestsInTurn(
      (request, response) => {
        this.#handle(request, response);
      },
      (request) => {
        const { isWithin, leave } = options.perAddress.add(request);
        return { mayWait: isWithin, leave };
      },
    );
  }

  /** Fastify's `serverFactory`. */
  create(handle: HandleRequest): Server {
    this.#handle = handle;
    return this.#open();
  }

  /** Gives connections that are opened from now on this certificate; those that are open go on. It has to be usable. */
  renew(certificate: Certificate): void {
    for (const server of this.#secure) server.setSecureContext(certificate);
  }

  /** Whether a request may leave HTTP: not while an earlier one of its socket is answered. */
  mayUpgrade(request: IncomingMessage): boolean {
    return !this.#inTurn.isBusy(request.socket);
  }

  /** The other address of `localhost`, once the first server listens. Resolves also when this machine does not have it. */
  async listenBeside(first: Server): Promise<void> {
    const { address, port } = first.address() as AddressInfo; // listening on TCP
    const second = this.#open();
    second.on('upgrade', (...upgrade) => first.emit('upgrade', ...upgrade));
    // Every server of Node has it; its types know it only as an option. It is asked at each request, so that a hub's rule counts here too.
    const asked = first as Server & { shouldUpgradeCallback(request: IncomingMessage): boolean };
    Object.assign(second, {
      shouldUpgradeCallback: (request: IncomingMessage) => asked.shouldUpgradeCallback(request),
    });
    const host = address.includes(':') ? '127.0.0.1' : '::1';
    const listens = await new Promise<boolean>((resolve) => {
      second.once('error', (error) => {
        this.#options.log.debug({ error }, `${host} is not listened on`);
        resolve(false);
      });
      second.listen({ host, port }, () => {
        resolve(true);
      });
    });
    if (listens) this.#second = second;
  }

  /** No new connections on the second server either; resolves when the open ones are gone. */
  async closeSecond(): Promise<void> {
    const second = this.#second;
    if (second === undefined) return;
    this.#second = undefined;
    await new Promise((resolve) => second.close(resolve));
  }

  /** Cuts every open connection, upgraded ones too, which Node's own servers lose sight of. */
  cutConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #open(): Server {
    const { requestTimeout, maxSockets, tls } = this.#options;
    const options = {
      maxHeaderSize,
      keepAliveTimeout,
      requestTimeout,
      // Left to itself, Node would use the shorter time for headers, and the longer one, a minute, for the rest.
      headersTimeout: requestTimeout,
      connectionsCheckingInterval: Math.min(checkMs, requestTimeout),
    };
    const receive: HandleRequest = (request, response) => {
      // The request stays HTTP, which its client did not mean: nothing that the client sends after it is a request.
      if (request.headers.upgrade?.toLowerCase() === 'websocket') response.shouldKeepAlive = false;
      this.#inTurn.receive(request, response);
    };
    const server =
      tls === undefined
        ? createServer(options, receive)
        : this.#openSecure({ ...options, ...tls, handshakeTimeout: requestTimeout }, receive);
    server.maxConnections = maxSockets;
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.on('drop', () => {
      this.#logDrop();
    });
    server.on('clientError', (error, socket) => {
      answerMalformed(error, socket, this.#inTurn);
    });
    return server;
  }

  #openSecure(options: ServerOptions, receive: HandleRequest): Server {
    const server = createSecureServer(options, receive);
    this.#secure.push(server);
    return server;
  }

  #logDrop(): void {
    const now = performance.now();
    if (now - this.#dropsLoggedAt < dropLogMs) return;
    this.#dropsLoggedAt = now;
    const { maxSockets, log } = this.#options;
    log.warn({ maxSockets }, 'connections are dropped: as many are open as server.maxConnections allows for');
  }
}
