import { mostWaiting } from './hub-timings.ts';
import { readPieces } from './carry-request.ts';
import { PostingTransport } from './posting-transport.ts';
import type { Transport, TransportOptions } from './transport.ts';

/** Carries a connection over server-sent events. `fetch` reads them, so that the token travels in a header. */
export async function openEventStream(options: TransportOptions, signal: AbortSignal): Promise<Transport> {
  const { requests, connectionToken, listener } = options;
  const line = new AbortController();
  const giveUp = (): void => line.abort(signal.reason);
  signal.addEventListener('abort', giveUp);
  const response = await requests.send({
    method: 'GET',
    url: requests.address({ id: connectionToken }),
    accept: 'text/event-stream',
    signal: line.signal,
  });
  signal.removeEventListener('abort', giveUp);
  const events = new EventStreamReader();
  const listening = readPieces(response, (piece) => listener.onText(events.take(piece)));
  return new PostingTransport(options, line, { listening, isPolled: false });
}

/** Takes the data out of an event stream. Records mark their own end, so the ends of events do not matter. */
export class EventStreamReader {
  #rest = '';

  /**
   * Returns the data of all complete lines.
   * @throws Error when a line is too long.
   */
  take(piece: string): string {
    if (this.#rest.length + piece.length > mostWaiting) throw new Error('too long a line');
    const lines = (this.#rest + piece).split(/\r\n|\r|\n/);
    this.#rest = lines.pop() ?? '';
    return lines.map((line) => (line.startsWith('data:') ? line.slice(5).replace(/^ /, '') : '')).join('');
  }
}
