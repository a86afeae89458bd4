import type { HubTimings } from './hub-timings.ts';
import type { HubRequests } from './hub-requests.ts';

/** One way to carry a connection. It knows nothing about the content. */
export interface Transport {
  /** The number of characters that were not sent yet. */
  readonly waiting: number;
  /** Whether polls show that the line is alive, so that no pings are needed. */
  readonly isPolled: boolean;
  send(records: string): void;
  /** Ends the transport after everything that was sent before. Always resolves, within a limit of its own. */
  close(): Promise<void>;
  /** Ends the transport at once, like a broken line. The server must not take it for a goodbye. */
  cut(): void;
}

export interface TransportListener {
  readonly onText: (text: string) => void;
  /** The transport has ended by itself. The fault is null when nothing went wrong. Not called after `cut`. */
  readonly onEnded: (fault: unknown) => void;
}

/** What a transport is opened with. */
export interface TransportOptions {
  readonly requests: HubRequests;
  /** Names the connection in requests. */
  readonly connectionToken: string;
  readonly timings: HubTimings;
  readonly listener: TransportListener;
}

/** Resolves when the transport is open. Rejects when the signal aborts. */
export type OpenTransport = (options: TransportOptions, signal: AbortSignal) => Promise<Transport>;
