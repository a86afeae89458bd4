import { HubProtocolError } from '../hub-errors.ts';

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

/** The same messages, `most` of them at the most. @throws HubProtocolError when there are more */
export function* fewMessages(messages: Iterable<Buffer>, most: number): Generator<Buffer> {
  let given = 0;
  for (const message of messages) {
    given += 1;
    if (given > most) throw new HubProtocolError(`One frame has more than ${String(most)} messages.`);
    yield message;
  }
}
