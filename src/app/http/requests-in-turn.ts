import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** What is done with a request once its socket is free for it. */
export type HandleRequest = (request: IncomingMessage, response: ServerResponse) => void;

/** Most requests of one socket that wait for the one under way. Clients that pipeline send a handful. */
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
 * The requests of each HTTP/1.1 socket, one after the other. Node reads on while a request is answered, and would begin all that a
 * client has sent ahead at once: hundreds of turns by one socket.
 */
export class RequestsInTurn {
  readonly #lines = new WeakMap<Duplex, Line>();
  readonly #handle: HandleRequest;
  readonly #arrived: (request: IncomingMessage) => { readonly mayWait: boolean; readonly leave: () => void };

  /** `arrived` is told of each request at once; what it returns is called when the request is answered or dropped. */
  constructor(
    handle: HandleRequest,
    arrived: (request: IncomingMessage) => { readonly mayWait: boolean; readonly leave: () => void },
  ) {
    this.#handle = handle;
    this.#arrived = arrived;
  }

  /** A request has come in. Its socket is cut when more of them would wait than a client can mean. */
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
   * Whether a fault of what the client sends can be answered on the bare socket: an answer that has begun, or that is still to come for
   * a request that was received whole, would be mistaken for it.
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
    // No answer can be written any more: the client has gone, or was told that this connection ends.
    if (socket.destroyed || !socket.writable) {
      for (const { leave } of line.waiting.splice(0)) leave();
      return;
    }
    const following = line.waiting.shift();
    if (following !== undefined) this.#begin(line, following);
  }
}
