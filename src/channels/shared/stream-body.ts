import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The body of a response that is written in pieces. Node writes each piece in three parts: length, text, line break. This class writes each
 * piece as one string to the socket, which costs least per token (speed is measured by `npm run bench`). When the response is not chunked,
 * or has no socket yet, Node writes it.
 */
export class StreamBody {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  /** Whether what was written still waits for the client to read. */
  get isFull(): boolean {
    return this.#response.socket?.writableNeedDrain ?? this.#response.writableNeedDrain;
  }

  /** The head and the first piece, in one write. */
  open(text: string): void {
    this.#response.cork();
    this.#response.flushHeaders();
    this.write(text, () => undefined);
    this.#response.uncork();
  }

  /** False: the client reads too slowly; `onDrain` is called once when there is room again. */
  write(text: string, onDrain: () => void): boolean {
    const socket = this.#chunkedSocket();
    if (socket === null ? this.#response.write(text) : writeChunk(socket, text)) return true;
    (socket ?? this.#response).once('drain', onDrain);
    return false;
  }

  /** The last piece and the end, in one write. */
  end(text: string): void {
    const socket = this.#chunkedSocket();
    if (socket === null || text === '') {
      this.#response.end(text);
      return;
    }
    socket.cork();
    writeChunk(socket, text);
    // Uncorks the socket, too.
    this.#response.end();
  }

  /** The socket to which pieces can be written directly; null when Node must write them. */
  #chunkedSocket(): Socket | null {
    return this.#response.chunkedEncoding ? this.#response.socket : null;
  }
}

/** One chunk of the chunked encoding. */
function writeChunk(socket: Socket, text: string): boolean {
  const length = Buffer.byteLength(text);
  const encoding = length === text.length ? 'latin1' : 'utf8';
  return socket.write(`${length.toString(16)}\r\n${text}\r\n`, encoding);
}
