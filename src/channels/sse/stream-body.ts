import type { ServerResponse } from 'node:http';

/**
 * The body of a response that is written piece by piece. After its head, Node writes each piece as three: length, text,
 * line break. Here a piece is one string on the socket, which is what a token costs least as (speed is measured by
 * `npm run bench`); where the response is not chunked or has no socket yet, Node writes it.
 */
export class StreamBody {
  readonly #response: ServerResponse;
  /** The head goes out with the first piece. */
  #begun = false;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  /** Whether what was written still waits for the client to read. */
  get isFull(): boolean {
    return this.#response.socket?.writableNeedDrain ?? this.#response.writableNeedDrain;
  }

  /** False: the client reads too slowly; `onDrain` is called once when there is room again. */
  write(text: string, onDrain: () => void): boolean {
    const { socket } = this.#response;
    if (!this.#begun || socket === null || !this.#response.chunkedEncoding) {
      this.#begun = true;
      if (this.#response.write(text)) return true;
      this.#response.once('drain', onDrain);
      return false;
    }
    const length = Buffer.byteLength(text);
    const encoding = length === text.length ? 'latin1' : 'utf8';
    if (socket.write(`${length.toString(16)}\r\n${text}\r\n`, encoding)) return true;
    socket.once('drain', onDrain);
    return false;
  }

  /** The last piece, and the end. */
  end(text: string): void {
    this.#response.end(text);
  }
}
