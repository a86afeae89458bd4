import type { Readable } from 'node:stream';
import { EventLines } from '../shared/network/event-lines.ts';
import { NoReply } from './no-reply.ts';

/** Bytes of one line of an event stream. The SDK reads no longer event. */
const longestLine = 4 * 1024 * 1024;

/**
 * The bytes of an answer. More than `maxBytes` are an error, and end the connection. Of an event stream come its whole lines that say
 * something (event-lines.ts), and one that is too long is such an error as well.
 */
export function boundedStream(body: Readable, maxBytes: number, isEvents: boolean): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
  const lines = isEvents ? new EventLines() : undefined;
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
          if (length > maxBytes || (lines?.heldBytes ?? 0) > longestLine) {
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
