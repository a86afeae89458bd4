/** Milliseconds. */
export interface HubTimings {
  /** A ping is sent when nothing else was for so long. */
  readonly keepAliveMs: number;
  /** A server that was silent for so long is gone. */
  readonly serverTimeoutMs: number;
  /** From the request for a transport to its being open. */
  readonly openMs: number;
  /** From our handshake to the server's. */
  readonly handshakeMs: number;
  /** A negotiation, a poll, or a post of what the client says. */
  readonly requestMs: number;
  /** How long stateful reconnect is tried before the connection counts as lost. */
  readonly restoreMs: number;
  /** How long a goodbye may take. */
  readonly closeMs: number;
}

/** As in other SignalR clients, where they have a limit. */
export const defaultTimings: HubTimings = {
  keepAliveMs: 15_000,
  serverTimeoutMs: 30_000,
  openMs: 10_000,
  handshakeMs: 15_000,
  requestMs: 100_000,
  restoreMs: 5000,
  closeMs: 5000,
};

/** Characters that may wait on either side: of a message that is not whole yet, and of those not sent or acknowledged. */
export const mostWaiting = 2 ** 24;
