import { carryRequest } from './carry-request.ts';
import { PostingTransport } from './posting-transport.ts';
import type { Transport, TransportOptions } from './transport.ts';

/** Carries a connection over requests that wait until the server has a message. */
export async function openLongPolling(options: TransportOptions, signal: AbortSignal): Promise<Transport> {
  const { requests, connectionToken, timings, listener } = options;
  const line = new AbortController();
  const url = requests.address({ id: connectionToken });
  // The server answers the first request at once, which opens the connection.
  await requests.send({ method: 'GET', url, signal });
  const listen = async (): Promise<void> => {
    const poll = { method: 'GET', url, signal: line.signal } as const;
    const reading = { limitMs: timings.requestMs, onPiece: listener.onText };
    while ((await carryRequest(requests, poll, reading)) === 200);
  };
  return new PostingTransport(options, line, { listening: listen(), isPolled: true });
}
