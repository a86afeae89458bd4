import { SSEClientTransport, type Transport } from '@modelcontextprotocol/client';
import type { HttpDoor } from './http-door.ts';

/**
 * The transport HTTP+SSE of the revision 2024-11-05: all answers come on one event stream, which first names the address for requests. That
 * address is of the same origin. The end of the stream is the end of the connection, because another stream would be another session.
 */
export function olderTransport(url: URL, door: Pick<HttpDoor, 'fetch'>): Transport {
  let hasStream = false;
  // oxlint-disable-next-line typescript/no-deprecated -- servers that have nothing else are still in use
  const transport = new SSEClientTransport(url, {
    fetch: async (input, init) => {
      if (init?.method === 'POST') return door.fetch(input, init);
      // The client of the stream asks anew when it has ended. This answer stops it.
      if (hasStream) return new Response(null, { status: 204 });
      hasStream = true;
      const response = await door.fetch(input, init);
      const { body, status, headers } = response;
      if (body === null) return response;
      const ended = (): void => {
        // The client of the stream is told first.
        setImmediate(() => void transport.close());
      };
      return new Response(followed(body, ended), { status, headers });
    },
  });
  return transport;
}

/** The same bytes. `ended` is called when they have ended or broken off. */
function followed(body: ReadableStream<Uint8Array>, ended: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) {
            controller.enqueue(value);
            return;
          }
          controller.close();
          ended();
        } catch (error) {
          ended();
          throw error;
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
