/** Keeps idle proxies from closing a quiet stream (contract/sse.md#the-stream). */
export const pingFrame = ': ping\n\n';

/** The body of a stream, as `StreamBody`. */
interface PingedBody {
  /** Whether what was written still waits for the client to read. */
  readonly isFull: boolean;
  write(text: string): boolean;
}

interface Pinged {
  readonly body: PingedBody;
  /** The index of the stream in the list. */
  at: number;
}

/** Sends pings, so that proxies do not close quiet streams. All streams share one timer, which runs while there is a stream. */
export class PingClock {
  readonly #intervalMs: number;
  readonly #streams: Pinged[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs;
  }

  /** Returns what to call when the stream has ended; calling it again does no harm. */
  add(body: PingedBody): () => void {
    const pinged = { body, at: this.#streams.length };
    this.#streams.push(pinged);
    this.#timer ??= setInterval(() => {
      this.#ping();
    }, this.#intervalMs);
    return () => {
      this.#remove(pinged);
    };
  }

  /** Removes a stream from the list. The last stream of the list moves to its index. */
  #remove(pinged: Pinged): void {
    if (this.#streams[pinged.at] !== pinged) return;
    const last = this.#streams.pop();
    if (last !== undefined && last !== pinged) {
      last.at = pinged.at;
      this.#streams[last.at] = last;
    }
    if (this.#streams.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #ping(): void {
    // A ping that finds no room is not worth waiting for.
    for (const { body } of this.#streams) if (!body.isFull) body.write(pingFrame);
  }
}
