/** Cuts what a client sends into messages, wherever its frames begin and end. */
export interface MessageReader {
  /** Bytes kept of a message that is not whole yet. */
  readonly held: number;
  /** The messages that `chunk` completes. @throws MessageTooLarge, HubProtocolError */
  take(chunk: Buffer): Iterable<Buffer>;
}

/** A message from the client is larger than allowed. */
export class MessageTooLarge extends Error {
  override readonly name = 'MessageTooLarge';
}
