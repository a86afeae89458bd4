import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** What is done with a request once its socket is free for it. */
export type HandleRequest = (request: IncomingMessage, response: ServerResponse) => void;

/** The most requests of one socket that may wait while another one is answered. Clients that pipeline send a handful. */
const mostWaiting = 100;

interface Arrived {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly leave: () => void;
}

interface Line {
  underWay: Arrived | undefined;
  readonly waiting: Arrived[];
}

/**
 * Handles the requests of each HTTP/1.1 socket one after the other. Node reads on while a request is answered: without this class it would
 * start all requests that a client has sent ahead, such as hundreds of turns from one socket.
 */
export class RequestsInTurn {
  readonly #lines = new WeakMap<Duplex, Line>();
  readonly #handle: HandleRequest;
  readonly #arrived: (request: IncomingMessage) => { readonly mayWait: boolean; readonly leave: () => void };

  /** `arrived` is called for each request at once. Its `leave` is called when the request is answered or dropped. */
  constructor(
    handle: HandleRequest,
    arrived: (request: IncomingMessage) => { readonly mayWait: boolean; readonly leave: () => void },
  ) {
    this.#handle = handle;
    this.#arrived = arrived;
  }

  /** Takes a request that has come in. Cuts the socket when more requests wait than an honest client sends. */
  receive(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const { mayWait, leave } = this.#arrived(request);
    const arrived: Arrived = { request, response, leave };
    let line = this.#lines.get(socket);
    if (line === undefined) {
      line = { underWay: undefined, waiting: [] };
      this.#lines.set(socket, line);
    }
    if (line.underWay === undefined) {
      this.#begin(line, arrived);
    } else if (mayWait && line.waiting.length < mostWaiting) {
      line.waiting.push(arrived);
    } else {
      leave();
      socket.destroy();
    }
  }

  /** Whether a request of this socket is under way. */
  isBusy(socket: Duplex): boolean {
    return this.#lines.get(socket)?.underWay !== undefined;
  }

  /**
   * Whether a malformed request can be answered on the bare socket. It cannot while an earlier, complete request waits for its answer or an
   * answer has begun: the client would take the fault for that answer.
   */
  canAnswerFault(socket: Duplex): boolean {
    const underWay = this.#lines.get(socket)?.underWay;
    return underWay === undefined || (!underWay.response.headersSent && !underWay.request.complete);
  }

  #begin(line: Line, arrived: Arrived): void {
    line.underWay = arrived;
    // The response closes when it is answered, and also when its socket has gone.
    arrived.response.once('close', () => {
      arrived.leave();
      line.underWay = undefined;
      this.#next(line, arrived.request.socket);
    });
    this.#handle(arrived.request, arrived.response);
  }

  #next(line: Line, socket: Duplex): void {
    // No answer can be written any more, because the client has left or was told that this connection ends.
    if (socket.destroyed || !socket.writable) {
      for (const { leave } of line.waiting.splice(0)) leave();
      return;
    }
    const following = line.waiting.shift();
    if (following !== undefined) this.#begin(line, following);
  }
}
