import type { ClientMessage } from './client-message.ts';
import type { MessageReader } from './message-reader.ts';

/** Close as the server sends it. */
export interface CloseOptions {
  readonly error?: string;
  readonly allowReconnect?: boolean;
}

/**
 * One encoding of hub messages. Everything it writes is one whole record, ready to be joined with others; a binary one
 * writes one character per byte.
 */
export interface HubCodec {
  /** As the handshake names it. */
  readonly name: string;
  /** It speaks every version from 1 to this one. */
  readonly newestVersion: number;
  readonly isBinary: boolean;
  /** What cuts incoming bytes into its records, none of more than `maxBytes`. */
  newReader(maxBytes: number): MessageReader;
  /** Reads one record as its reader cut it. @throws HubProtocolError */
  read(record: Buffer): ClientMessage;
  /** An invocation of the client's handler without an answer; `argumentJson` is its one argument, serialised. */
  event(target: string, argumentJson: string): string;
  /** An invocation of the client's handler that is to be answered. */
  invocation(invocationId: string, target: string, argumentJson: string): string;
  streamItem(invocationId: string, itemJson: string): string;
  /** @throws whatever serialising `result` throws */
  result(invocationId: string, result: unknown): string;
  /** The end of a stream that went well. */
  streamEnd(invocationId: string): string;
  error(invocationId: string, error: string): string;
  close(options: CloseOptions): string;
  /** All messages up to this one have come. */
  ack(sequenceId: number): string;
  /** The next message is this one. */
  sequence(sequenceId: number): string;
  readonly ping: string;
}
