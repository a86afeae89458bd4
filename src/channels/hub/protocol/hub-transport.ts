/** As negotiate names them. */
export type TransportName = 'WebSockets' | 'ServerSentEvents' | 'LongPolling';

/** What carries a connection's records to the client. */
export interface HubTransport {
  readonly name: TransportName;
  /** From now on each character of a record is one byte. Absent: the transport carries text only. */
  useBinary?(): void;
  /** Sends whole records. Never throws, also when the client is gone. */
  send(records: string): void;
  /** Bytes handed over by `send` that nobody has taken yet: the operating system, or the client's next poll. */
  readonly bufferedBytes: number;
  /** Ends in good order after what was sent. */
  close(): void;
  /** Cuts at once. */
  terminate(): void;
  /** Looks at the clock; called about once a second. */
  tick?(now: number): void;
}
