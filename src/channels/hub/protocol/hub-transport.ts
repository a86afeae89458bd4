/** The names of transports in negotiate. */
export type TransportName = 'WebSockets' | 'ServerSentEvents' | 'LongPolling';

/** What carries a connection's records to the client. */
export interface HubTransport {
  readonly name: TransportName;
  /** From this call on, each character of a record is one byte. Absent: the transport carries text only. */
  useBinary?(): void;
  /** Sends whole records. Never throws, also when the client is gone. */
  send(records: string): void;
  /** Bytes given to `send` that neither the operating system nor a poll of the client has taken yet. */
  readonly bufferedBytes: number;
  /** Ends the transport after everything that was sent before. */
  close(): void;
  /** Cuts at once. */
  terminate(): void;
  /** Looks at the clock; called about once a second. */
  tick?(now: number): void;
}
