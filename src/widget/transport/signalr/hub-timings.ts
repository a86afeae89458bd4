/** All times are in milliseconds. */
export interface HubTimings {
  /** A ping is sent when nothing else was sent for this long. */
  readonly keepAliveMs: number;
  /** A server that was silent for this long is gone. */
  readonly serverTimeoutMs: number;
  /** From the request for a transport until the transport is open. */
  readonly openMs: number;
  /** From the client's handshake to the server's. */
  readonly handshakeMs: number;
  /** For a negotiation, a poll, or a post of the client's messages. */
  readonly requestMs: number;
  /** After this long without a restored line the connection counts as lost. */
  readonly restoreMs: number;
  /** For a goodbye. */
  readonly closeMs: number;
}

/** The values of other SignalR clients, where those have a limit. */
export const defaultTimings: HubTimings = {
  keepAliveMs: 15_000,
  serverTimeoutMs: 30_000,
  openMs: 10_000,
  handshakeMs: 15_000,
  requestMs: 100_000,
  restoreMs: 5000,
  closeMs: 5000,
};

/** Characters that may wait on either side: of an incomplete message, and of messages that were not sent or not acknowledged. */
export const mostWaiting = 2 ** 24;
