import type { HubToken } from './hub-requests.ts';
import type { HubTimings } from './hub-timings.ts';
import type { OpenTransport } from './transport.ts';

/** The ways to carry a connection, in the order in which they are tried. */
export const transportNames = ['WebSockets', 'ServerSentEvents', 'LongPolling'] as const;
export type TransportName = (typeof transportNames)[number];

export interface HubClientOptions {
  /** The full address of the hub. */
  readonly url: string;
  readonly token: HubToken;
  /**
   * Milliseconds until the next attempt to replace a lost connection. Gets the number of earlier attempts and the reason why the last one
   * ended. Null gives up. With -1 attempts: until the line of a connection is restored; null restores it at once.
   */
  readonly reconnectDelay: (previousAttempts: number, reason: unknown) => number | null;
  readonly listener: HubClientListener;
  /** Loads the transports that are tried when no WebSocket gets through. Most clients never need their code. */
  readonly loadFallback: () => Promise<FallbackTransports>;
  /** Left out, all of them are tried. */
  readonly transports?: readonly TransportName[];
  readonly timings?: Partial<HubTimings>;
}

/** The transports after the first. */
export type FallbackTransports = Readonly<Record<Exclude<TransportName, 'WebSockets'>, OpenTransport>>;

/** What a client reports about its connection. */
export interface HubClientListener {
  /** The line broke, and the server may still hold the connection. `onRestored` or `onReconnecting` follows soon. */
  readonly onInterrupted: () => void;
  /** The same connection continues, and nothing was lost. */
  readonly onRestored: () => void;
  /** The connection is lost, and the client tries to open another one. */
  readonly onReconnecting: (reason: unknown) => void;
  /** Another connection has replaced the lost one. */
  readonly onReconnected: () => void;
  /** The connection has ended for good. The reason is null when the client was stopped. */
  readonly onClosed: (reason: unknown) => void;
}
