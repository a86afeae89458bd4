import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventLines } from '../shared/network/event-lines.ts';
import { McpFault } from './mcp-fault.ts';
import type { McpLimits } from './mcp-limits.ts';
import { MessageShape } from './message-shape.ts';

type BodyLimits = Pick<McpLimits, 'answerBytes' | 'streamBytes' | 'streamEvents' | 'windowMs'>;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
/** How a line of a stream begins that has a part of a message. */
const dataField = Buffer.from('data:');

/**
 * The bytes of an answer. More than `answerBytes`, or a message wider than honest ones (message-shape.ts), are an error, and end the
 * connection. Of a stream that stays open, the same holds for each
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

/** The length and the width of one answer. */
class LengthGauge {
  readonly #most: number;
  readonly #shape = new MessageShape();
  #length = 0;

  constructor(most: number) {
    this.#most = most;
  }

  isTooMuch(chunk: Uint8Array): boolean {
    this.#length += chunk.byteLength;
    return this.#length > this.#most || this.#shape.isTooWide(chunk);
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
  /** Bytes of the line so far, and whether they begin as those of a message do. */
  #lineLength = 0;
  #isData = true;
  readonly #shape = new MessageShape();
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
        if (this.#isTooWide(byte)) return true;
      } else if (byte === carriageReturn || !this.#isAfterReturn) {
        if (this.#lineLength === 0) {
          this.#events += 1;
          this.#event = 0;
          this.#shape.reset();
        }
        this.#lineLength = 0;
        this.#isData = true;
      }
      this.#isAfterReturn = byte === carriageReturn;
    }
    return this.#event > this.#limits.answerBytes;
  }

  /** Other lines are no part of a message, whatever brackets they have. */
  #isTooWide(byte: number): boolean {
    const place = this.#lineLength;
    this.#lineLength += 1;
    if (place < dataField.length) {
      this.#isData &&= byte === dataField[place];
      return false;
    }
    return this.#isData && this.#shape.take(byte);
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
