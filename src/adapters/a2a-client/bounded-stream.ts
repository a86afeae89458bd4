import type { Readable } from 'node:stream';
import { NoReply } from './no-reply.ts';

/** The bytes of an answer. More than `maxBytes` are an error, and end the connection. */
export function boundedStream(body: Readable, maxBytes: number): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
  let length = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        const next = await chunks.next().catch((error: unknown) => {
          throw new NoReply('broken', 'broke off the connection', { cause: error });
        });
        if (next.done === true) {
          controller.close();
          return;
        }
        length += next.value.byteLength;
        if (length > maxBytes) {
          discard(body);
          throw new NoReply('outage', 'sent more than the server reads');
        }
        controller.enqueue(next.value);
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
