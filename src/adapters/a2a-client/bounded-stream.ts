import type { Readable } from 'node:stream';
import { EventLines } from '../shared/network/event-lines.ts';
import { NoReply } from './no-reply.ts';

/** Bytes of one line of an event stream. The SDK reads no longer event. */
const longestLine = 4 * 1024 * 1024;

/** Objects, and items and members, in one answer or event of a stream. The SDK takes microseconds for each, and all of them in one go. */
const mostObjects = 20_000;
const mostItems = 100_000;

/**
 * The bytes of an answer. More than `maxBytes`, or more values than the SDK reads at once, are an error, and end the connection. Of an
 * event stream come its whole lines that say something (event-lines.ts), and one that is too long is such an error as well.
 */
export function boundedStream(body: Readable, maxBytes: number, isEvents: boolean): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
  const lines = isEvents ? new EventLines() : undefined;
  const values = new ValueCounter(isEvents);
  let length = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        // Nobody asks again for a chunk that has ended no line.
        for (let given = 0; given === 0;) {
          const next = await chunks.next().catch((error: unknown) => {
            throw new NoReply('broken', 'broke off the connection', { cause: error });
          });
          if (next.done === true) {
            const rest = lines?.rest() ?? new Uint8Array();
            if (rest.byteLength > 0) controller.enqueue(rest);
            controller.close();
            return;
          }
          length += next.value.byteLength;
          const taken = lines?.take(next.value) ?? next.value;
          if (length > maxBytes || (lines?.heldBytes ?? 0) > longestLine || values.isTooMuch(next.value)) {
            discard(body);
            throw new NoReply('outage', 'sent more than the server reads');
          }
          given = taken.byteLength;
          if (given > 0) controller.enqueue(taken);
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

const [quote, backslash, brace, comma, lineFeed, carriageReturn] = [0x22, 0x5c, 0x7b, 0x2c, 0x0a, 0x0d];

/** Counts the values of JSON as it comes, of a stream those of each event. Signs in texts are not counted. */
class ValueCounter {
  readonly #isEvents: boolean;
  #objects = 0;
  #items = 0;
  #isText = false;
  #isEscaped = false;
  #isLineEmpty = true;

  constructor(isEvents: boolean) {
    this.#isEvents = isEvents;
  }

  /** Whether this chunk brings more values than are read at once. */
  isTooMuch(chunk: Uint8Array): boolean {
    for (const byte of chunk) {
      if (byte === lineFeed) this.#endLine();
      else if (byte !== carriageReturn) this.#isLineEmpty = false;
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === backslash) this.#isEscaped = this.#isText;
      else if (byte === quote) this.#isText = !this.#isText;
      else if (byte === brace && !this.#isText) this.#objects += 1;
      else if (byte === comma && !this.#isText) this.#items += 1;
      if (this.#objects > mostObjects || this.#items > mostItems) return true;
    }
    return false;
  }

  #endLine(): void {
    // JSON has no line feed in a text, and a comment of a stream may have a single quotation mark.
    this.#isText = false;
    if (this.#isEvents && this.#isLineEmpty) this.#objects = this.#items = 0;
    this.#isLineEmpty = true;
  }
}
