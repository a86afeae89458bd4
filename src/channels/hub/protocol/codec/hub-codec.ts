import type { ClientMessage } from './client-message.ts';
import type { Crowding } from './crowding.ts';
import type { MessageReader } from './message-reader.ts';

/** Close as the server sends it. */
export interface CloseOptions {
  readonly error?: string;
  readonly allowReconnect?: boolean;
}

/**
 * One encoding of hub messages. Values are written as `JSON.stringify` writes them. Bytes (`Uint8Array`) and dates are exceptions:
 * MessagePack has types for them, and JSON gets base64 and ISO 8601. Each method returns one whole record, which can be joined with others.
 * A binary record has one character per byte.
 */
export interface HubCodec {
  /** The name that the handshake uses. */
  readonly name: string;
  /** The codec speaks every version from 1 to this one. */
  readonly newestVersion: number;
  readonly isBinary: boolean;
  /** Makes a reader that cuts incoming bytes into records of at most `maxBytes`. */
  newReader(maxBytes: number): MessageReader;
  /** Reads one record as its reader cut it. Without `crowding` it may be as wide as it is long. @throws HubProtocolError */
  read(record: Buffer, crowding?: Crowding): ClientMessage;
  /** An invocation of the client's handler without an answer. @throws whatever serialising its one argument throws */
  event(target: string, argument: unknown): string;
  /** Like `event`, with an argument that is serialised already. */
  eventJson(target: string, argumentJson: string): string;
  /** An invocation of the client's handler that is to be answered. @throws like `event` */
  invocation(invocationId: string, target: string, argument: unknown): string;
  /** @throws like `event` */
  streamItem(invocationId: string, item: unknown): string;
  streamItemJson(invocationId: string, itemJson: string): string;
  /** @throws like `event` */
  result(invocationId: string, result: unknown): string;
  /** The end of a stream that went well. */
  streamEnd(invocationId: string): string;
  error(invocationId: string, error: string): string;
  close(options: CloseOptions): string;
  /** Tells the client that all messages up to this one have come. */
  ack(sequenceId: number): string;
  /** Tells the client that the next message has this number. */
  sequence(sequenceId: number): string;
  readonly ping: string;
}
