import type { HubTimings } from './hub-timings.ts';
import type { HubRequests } from './hub-requests.ts';

/** One way to carry a connection; it knows nothing of what it carries. */
export interface Transport {
  /** How many characters are not on their way yet. */
  readonly waiting: number;
  /** Each poll shows by itself that the line is alive: there are no pings. */
  readonly isPolled: boolean;
  send(records: string): void;
  /** Ends it after what was sent before. Resolves in any case, within a time of its own. */
  close(): Promise<void>;
  /** Ends it at once, as a line that breaks: the server shall not take it for a goodbye. */
  cut(): void;
}

export interface TransportListener {
  readonly onText: (text: string) => void;
  /** It has ended by itself; the fault is null when nothing went wrong. Not told after `cut`. */
  readonly onEnded: (fault: unknown) => void;
}

/** What a transport is opened with. */
export interface TransportOptions {
  readonly requests: HubRequests;
  /** Names the connection. */
  readonly connectionToken: string;
  readonly timings: HubTimings;
  readonly listener: TransportListener;
}

/** Resolves when it is open; rejects when the signal aborts. */
export type OpenTransport = (options: TransportOptions, signal: AbortSignal) => Promise<Transport>;
