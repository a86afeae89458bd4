import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventLines } from '../shared/network/event-lines.ts';
import { McpFault } from './mcp-fault.ts';
import type { McpLimits } from './mcp-limits.ts';

type BodyLimits = Pick<McpLimits, 'answerBytes' | 'streamBytes' | 'streamEvents' | 'windowMs'>;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * The bytes of an answer. More than `answerBytes` are an error, and end the connection. Of a stream that stays open, the same holds for each
 * single event, and the stream is read no faster than the limits allow. So a server that floods slows down only itself. Of a stream come its
 * whole lines that say something (event-lines.ts).
 */
export function boundedBody(body: Readable, limits: BodyLimits, isLasting: boolean): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
  const gauge = isLasting ? new FlowGauge(limits) : new LengthGauge(limits.answerBytes);
  const lines = isLasting ? new EventLines() : undefined;
  return new ReadableStream(
    {
      async pull(controller) {
        // Nobody asks again for a chunk that has ended no line.
        for (let given = 0; given === 0;) {
          const next = await chunks.next().catch((error: unknown) => {
            throw new McpFault('broken', 'broke off the connection', { cause: error });
          });
          if (next.done === true) {
            controller.close();
            return;
          }
          if (gauge.isTooMuch(next.value)) {
            discard(body);
            throw new McpFault('broken', 'sent more than this server reads');
          }
          const taken = lines?.take(next.value) ?? next.value;
          given = taken.byteLength;
          if (given > 0) controller.enqueue(taken);
          await gauge.pause();
        }
      },
      cancel() {
        discard(body);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Closes the connection of an answer that nobody reads any more. An answer that was cut short breaks its stream. */
export function discard(body: Readable): void {
  body.on('error', () => undefined).destroy();
}

/** The length of one answer. */
class LengthGauge {
  readonly #most: number;
  #length = 0;

  constructor(most: number) {
    this.#most = most;
  }

  isTooMuch(chunk: Uint8Array): boolean {
    this.#length += chunk.byteLength;
    return this.#length > this.#most;
  }

  pause(): Promise<void> {
    return Promise.resolve();
  }
}

/** The flow of a stream. An event that never ends is an error, and too many bytes or events in a window are a pause until its end. */
class FlowGauge {
  readonly #limits: BodyLimits;
  /** Bytes since the last empty line, which ends an event. */
  #event = 0;
  #isLineEmpty = true;
  #isAfterReturn = false;
  #bytes = 0;
  #events = 0;
  #since = performance.now();

  constructor(limits: BodyLimits) {
    this.#limits = limits;
  }

  isTooMuch(chunk: Uint8Array): boolean {
    this.#bytes += chunk.byteLength;
    for (const byte of chunk) {
      this.#event += 1;
      if (byte !== lineFeed && byte !== carriageReturn) {
        this.#isLineEmpty = false;
      } else if (byte === carriageReturn || !this.#isAfterReturn) {
        if (this.#isLineEmpty) {
          this.#events += 1;
          this.#event = 0;
        }
        this.#isLineEmpty = true;
      }
      this.#isAfterReturn = byte === carriageReturn;
    }
    return this.#event > this.#limits.answerBytes;
  }

  async pause(): Promise<void> {
    const { streamBytes, streamEvents, windowMs } = this.#limits;
    const leftMs = this.#since + windowMs - performance.now();
    const isOver = this.#bytes > streamBytes || this.#events > streamEvents;
    if (leftMs > 0 && !isOver) return;
    if (leftMs > 0) await sleep(leftMs, undefined, { ref: false });
    this.#bytes = 0;
    this.#events = 0;
    this.#since = performance.now();
  }
}
