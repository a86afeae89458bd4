import type { HubToken } from './hub-requests.ts';
import type { HubTimings } from './hub-timings.ts';
import type { OpenTransport } from './transport.ts';

/** The ways to carry a connection, in the order they are tried. */
export const transportNames = ['WebSockets', 'ServerSentEvents', 'LongPolling'] as const;
export type TransportName = (typeof transportNames)[number];

export interface HubClientOptions {
  /** The hub's whole address. */
  readonly url: string;
  readonly token: HubToken;
  /**
   * Milliseconds until the next attempt to get a lost connection back, by how many there were before it and what ended the
   * last; null gives up.
   */
  readonly reconnectDelay: (previousAttempts: number, reason: unknown) => number | null;
  readonly listener: HubClientListener;
  /** Brings the transports that are tried when no WebSocket gets through; most clients never need their code. */
  readonly loadFallback: () => Promise<FallbackTransports>;
  /** Default: all. */
  readonly transports?: readonly TransportName[];
  readonly timings?: Partial<HubTimings>;
}

/** The transports after the first. */
export type FallbackTransports = Readonly<Record<Exclude<TransportName, 'WebSockets'>, OpenTransport>>;

/** What the user of a client is told of its connection. */
export interface HubClientListener {
  /** The line broke, and the server may still hold the connection: `onRestored` or `onReconnecting` follows soon. */
  readonly onInterrupted: () => void;
  /** The same connection goes on, and nothing was lost. */
  readonly onRestored: () => void;
  /** The connection is lost; another one is tried for. */
  readonly onReconnecting: (reason: unknown) => void;
  /** Another connection has taken its place. */
  readonly onReconnected: () => void;
  /** The connection is over for good; the reason is null when somebody wanted it so. */
  readonly onClosed: (reason: unknown) => void;
}
