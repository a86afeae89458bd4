/** What carries a connection's records to the client. */
export interface HubTransport {
  /** Sends whole records. Never throws, also when the client is gone. */
  send(records: string): void;
  /** Bytes handed over by `send` that the operating system has not taken yet. */
  readonly bufferedBytes: number;
  /** Ends in good order after what was sent. */
  close(): void;
  /** Cuts at once. */
  terminate(): void;
}
