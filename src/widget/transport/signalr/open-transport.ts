import { type HubClientOptions, transportNames } from './hub-options.ts';
import type { HubRequests } from './hub-requests.ts';
import type { HubTimings } from './hub-timings.ts';
import { limited, unlessAborted } from './limited.ts';
import { negotiate, type Negotiated } from './negotiate.ts';
import type { Transport, TransportListener } from './transport.ts';
import { openWebSocket } from './web-socket.ts';

/** An open transport, and what was negotiated for it. */
export interface OpenedTransport {
  readonly transport: Transport;
  readonly negotiated: Negotiated;
}

export interface OpeningOptions extends Pick<HubClientOptions, 'transports' | 'loadFallback'> {
  readonly requests: HubRequests;
  readonly timings: HubTimings;
  readonly listener: TransportListener;
}

/**
 * Negotiates and opens the first transport that gets through. Each attempt uses up its negotiation, so each has its own. Rejects when the
 * negotiation fails, or with the fault of the last transport.
 */
export async function openTransport(options: OpeningOptions, signal: AbortSignal): Promise<OpenedTransport> {
  const { requests, timings, listener, loadFallback, transports = transportNames } = options;
  const agree = (): Promise<Negotiated> => limited(timings.requestMs, signal, (limit) => negotiate(requests, limit));
  await requests.token.read();
  let negotiated = await agree();
  let fault: unknown = null;
  for (const name of transports) {
    if (!negotiated.transports.includes(name)) continue;
    if (fault !== null) negotiated = await agree();
    const { connectionToken, isStateful } = negotiated;
    try {
      const transport = await limited(timings.openMs, signal, async (limit) => {
        const open = name === 'WebSockets' ? openWebSocket : (await unlessAborted(limit, loadFallback()))[name];
        return open({ requests, connectionToken, timings, listener }, limit);
      });
      return { transport, negotiated: { ...negotiated, isStateful: isStateful && name === 'WebSockets' } };
    } catch (error) {
      signal.throwIfAborted();
      fault = error;
    }
  }
  throw fault instanceof Error ? fault : new Error('no transport');
}
