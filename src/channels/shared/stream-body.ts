import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { slowlyMs, stallTimeoutMs } from './cut-unread.ts';
import { type Answer, isBehind, onceOver } from './once-over.ts';
import type { PingClock } from './ping-clock.ts';

export interface StreamBodyOptions {
  readonly pings: PingClock;
  /** Default: `stallTimeoutMs`. */
  readonly stallTimeoutMs?: number | undefined;
  /** There is room again after a piece that has found none. */
  readonly onDrain: () => void;
  /** Nobody reads the stream any more: it was read to its end, or its client has gone. */
  readonly onOver: () => void;
}

/**
 * The body of a response that is written in pieces. Node writes each piece in three parts: length, text, line break. This class writes each
 * piece as one string to the socket, which costs least per token (speed is measured by `npm run bench`). When the response is not chunked,
 * or has no socket yet, Node writes it. A quiet stream gets pings, and one whose client does not read is cut.
 */
export class StreamBody {
  readonly #response: ServerResponse;
  readonly #stallTimeoutMs: number;
  readonly #stopPings: () => void;
  readonly #drained: () => void;
  #stalled: NodeJS.Timeout | undefined;
  /** Milliseconds more, for what was written since the client is watched. */
  #owedMs = 0;

  constructor(answer: Answer, { pings, onDrain, onOver, ...options }: StreamBodyOptions) {
    this.#response = answer.raw;
    this.#stallTimeoutMs = options.stallTimeoutMs ?? stallTimeoutMs;
    this.#drained = () => {
      this.#stopWatching();
      onDrain();
    };
    this.#stopPings = pings.add(this);
    onceOver(answer, () => {
      this.#stopPings();
      this.#stopWatching();
      onOver();
    });
  }

  /** Whether what was written still waits for the client to read. */
  get isFull(): boolean {
    return (this.#chunkedSocket() ?? this.#response).writableNeedDrain;
  }

  /** The head and the first piece, in one write. */
  open(text: string): void {
    this.#response.cork();
    this.#response.flushHeaders();
    this.write(text);
    this.#response.uncork();
  }

  /** False: the client reads too slowly; `onDrain` is called when there is room again. */
  write(text: string): boolean {
    const socket = this.#chunkedSocket();
    if (socket === null ? this.#response.write(text) : writeChunk(socket, text)) return true;
    // One listener, however much is written meanwhile.
    if (this.#stalled === undefined) (socket ?? this.#response).once('drain', this.#drained);
    this.#watchStall(text);
    return false;
  }

  /** The last piece and the end, in one write. The client may leave them unread, too. Data that the operating system has taken needs no watch. */
  end(text: string): void {
    this.#stopPings();
    const socket = this.#chunkedSocket();
    if (socket === null || text === '') {
      this.#response.end(text);
    } else {
      socket.cork();
      writeChunk(socket, text);
      // Uncorks the socket, too.
      this.#response.end();
    }
    if (!this.#response.writableFinished) this.#watchStall(text);
  }

  #watchStall(text: string): void {
    if (this.#stalled === undefined) this.#cutLater(this.#patienceMs());
    else this.#owedMs += slowlyMs(Buffer.byteLength(text), this.#stallTimeoutMs);
  }

  /** A slow line that is read all the time is not cut, however long the piece is. */
  #patienceMs(): number {
    return this.#stallTimeoutMs + slowlyMs(this.#response.writableLength, this.#stallTimeoutMs);
  }

  #cutLater(ms: number): void {
    this.#owedMs = 0;
    const wasBehind = isBehind(this.#response);
    this.#stalled = setTimeout(() => {
      if (wasBehind) this.#cutLater(this.#patienceMs());
      else if (this.#owedMs > 0) this.#cutLater(this.#owedMs);
      else this.#response.destroy();
    }, ms);
  }

  #stopWatching(): void {
    clearTimeout(this.#stalled);
    this.#stalled = undefined;
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
