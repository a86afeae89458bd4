import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer, type ServerOptions } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Logger } from '../../core/ports/logger.ts';
import { answerMalformed } from './answer-malformed.ts';
import type { Certificate } from './live-certificate.ts';
import { RequestsInTurn, type HandleRequest } from './requests-in-turn.ts';
import { cutUnread } from '../../channels/shared/cut-unread.ts';
import type { RequestsPerAddress } from './requests-per-address.ts';

/** contract/sse.md#faults: the header size limit. */
const maxHeaderSize = 64 * 1024;
/** Idle connections end after this time. Other time-outs of sockets would cut quiet streams. */
const keepAliveTimeout = 72_000;
/** Milliseconds between two looks for requests that take too long to arrive. */
const checkMs = 1000;
/** Milliseconds between two log lines about dropped sockets. */
const dropLogMs = 60_000;

export interface HttpServersOptions {
  /** Milliseconds in which a request must arrive completely. They begin with its first byte, or with the opening of its socket. */
  readonly requestTimeout: number;
  /** The most open sockets; a further socket is dropped. */
  readonly maxSockets: number;
  /** Undefined: the server speaks plain http. */
  readonly tls: Certificate | undefined;
  readonly perAddress: RequestsPerAddress;
  readonly log: Logger;
}

/**
 * The servers of Node for one Fastify instance. Usually there is one. For `localhost` there are two, because that name has an IPv4 and an
 * IPv6 address. All of them bound what a client may make them hold.
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

  /** New connections use this certificate; open connections go on unchanged. The certificate must be usable. */
  renew(certificate: Certificate): void {
    for (const server of this.#secure) server.setSecureContext(certificate);
  }

  /** Whether a request may become a WebSocket: it may not while an earlier request of its socket is being answered. */
  mayUpgrade(request: IncomingMessage): boolean {
    return !this.#inTurn.isBusy(request.socket);
  }

  /**
   * Listens on the other address of `localhost` once the first server listens. Resolves also when this machine does not have that address.
   */
  async listenBeside(first: Server): Promise<void> {
    const { address, port } = first.address() as AddressInfo; // listening on TCP
    const second = this.#open();
    second.on('upgrade', (...upgrade) => first.emit('upgrade', ...upgrade));
    // Every server of Node has this function, but the types know it only as an option. The first server is asked at each request, so that a
    // hub's rule counts on the second one too.
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

  /** Closes the second server: no new connections come in. Resolves when the open connections are gone. */
  async closeSecond(): Promise<void> {
    const second = this.#second;
    if (second === undefined) return;
    this.#second = undefined;
    await new Promise((resolve) => second.close(resolve));
  }

  /** Cuts every open connection. Upgraded connections are included, which Node's own servers no longer know. */
  cutConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #open(): Server {
    const { requestTimeout, maxSockets, tls } = this.#options;
    const options = {
      maxHeaderSize,
      keepAliveTimeout,
      requestTimeout,
      // By default Node would give the headers a shorter time, and the whole request one minute.
      headersTimeout: requestTimeout,
      connectionsCheckingInterval: Math.min(checkMs, requestTimeout),
      // Node would answer by itself, without anything that every answer has. The guard refuses a request without a host.
      requireHostHeader: false,
    };
    const receive: HandleRequest = (request, response) => {
      // The client wanted a WebSocket but its request stays HTTP. Bytes that the client sends afterwards are no requests, so the connection
      // ends.
      if (request.headers.upgrade?.toLowerCase() === 'websocket') response.shouldKeepAlive = false;
      cutUnread(response, requestTimeout);
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
    // Whoever starts to listen hears why it fails. Later a connection may fail that the machine cannot take in.
    server.on('error', (error) => {
      if (server.listening) this.#options.log.warn({ error }, 'a connection could not be taken in');
    });
    server.on('drop', () => {
      this.#logDrop();
    });
    // Nothing else listens for it, so that Node would answer 417 by itself. An expectation that is not known may be passed over (RFC 9110).
    server.on('checkExpectation', receive);
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
