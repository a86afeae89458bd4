/** The part of a pino-like logger the protocol writes to; no message of a client and no token ever reaches it. */
export interface HubLog {
  debug(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Limits of everything that a client can make the server hold. */
export interface HubLimits {
  /** Bytes of one message from a client. Larger ones end the connection with a Close that says so. */
  readonly maxMessageBytes: number;
  /** Messages of one frame or request. More end the connection with a Close that says so: they are read in one go. */
  readonly maxMessagesPerFrame: number;
  /** Bytes a client may post before the GET that opens its connection. */
  readonly maxEarlyBytes: number;
  /** Bytes that all clients together may post before such a GET. */
  readonly maxEarlyBytesInAll: number;
  /** Bytes a slow client may leave unread before it is closed with `allowReconnect`. */
  readonly maxBufferedBytes: number;
  /** Stateful reconnect: nothing more is sent while more bytes than these are not acknowledged. */
  readonly maxUnacknowledgedBytes: number;
  /** Open connections; more are refused with 503. */
  readonly maxConnections: number;
  /** Open connections of one caller, unless the option `callerPlaces` counts them; more are refused with 429. */
  readonly maxConnectionsPerKey: number;
  /** Invocations of one connection that wait for the running one; more are answered with an error. */
  readonly maxWaitingInvocations: number;
  /** Invocations of methods declared `concurrent` that one connection may have running. */
  readonly maxConcurrentInvocations: number;
  /** Calls of the server that may wait for the answer of one client. */
  readonly maxClientInvocations: number;
  /** Streams one connection may have running. */
  readonly maxStreams: number;
}

/** Milliseconds. The defaults are those of ASP.NET Core; tests inject shorter ones. */
export interface HubTimings {
  /** A ping is sent when nothing else was sent for this time. */
  readonly keepAliveMs: number;
  /** A client that has pinged once is closed with `allowReconnect` when it was silent for this time. */
  readonly clientTimeoutMs: number;
  /** From the open socket to the handshake message. */
  readonly handshakeMs: number;
  /** A message of more than a few kilobytes must arrive completely within this time. */
  readonly arrivalMs: number;
  /** From our Close to cutting a socket that does not end. */
  readonly closeMs: number;
  /** How long a negotiated token may be used to open its connection. */
  readonly tokenMs: number;
  /** Stateful reconnect: how long a connection without a socket waits for its client. 0: stateful reconnect is not offered. */
  readonly reconnectMs: number;
  /** LongPolling: a poll without news is answered empty after this time. */
  readonly pollMs: number;
  /** LongPolling: a client that has not polled for this time counts as gone. */
  readonly abandonedMs: number;
}

/** The limits used where the options give none. */
export const defaultHubLimits: HubLimits = {
  maxMessageBytes: 32_768,
  maxMessagesPerFrame: 1_000,
  maxEarlyBytes: 16_384,
  maxEarlyBytesInAll: 16_777_216,
  maxBufferedBytes: 1_048_576,
  maxUnacknowledgedBytes: 100_000,
  maxConnections: 20_000,
  maxConnectionsPerKey: 20_000,
  maxWaitingInvocations: 16,
  maxConcurrentInvocations: 64,
  maxClientInvocations: 32,
  maxStreams: 16,
};

/** The timings used where the options give none. */
export const defaultHubTimings: HubTimings = {
  keepAliveMs: 15_000,
  clientTimeoutMs: 30_000,
  handshakeMs: 15_000,
  arrivalMs: 120_000,
  closeMs: 5_000,
  tokenMs: 30_000,
  reconnectMs: 0,
  pollMs: 90_000,
  abandonedMs: 15_000,
};

/** The largest frame or request. It may hold several messages: one of the largest size, and some small ones. */
export function frameLimit({ maxMessageBytes }: Pick<HubLimits, 'maxMessageBytes'>): number {
  return maxMessageBytes + 65_536;
}

/** Bytes that a fragment of a frame must have on the average. The server keeps some hundred bytes beside each. */
const fewestBytesOfFragment = 256;

/** The most fragments of one message, and parts in which one frame arrives. Clients that cut their messages make parts of kilobytes. */
export function fragmentLimit(limits: Pick<HubLimits, 'maxMessageBytes'>): number {
  return Math.ceil(frameLimit(limits) / fewestBytesOfFragment);
}

/** Most bytes of the first message of a connection. Later messages may be large; the first one never is. */
export function handshakeLimit({ maxMessageBytes }: Pick<HubLimits, 'maxMessageBytes'>): number {
  return Math.min(maxMessageBytes, 16_384);
}
