import { LiveMap } from '../../../core/base/live-map.ts';
import { randomId } from '../../../core/base/random-id.ts';
import { BusAway } from '../../../core/ports/bus-away.ts';
import type { BusCall } from '../../../core/ports/replica-bus.ts';
import { mostStreams } from '../bus-limits.ts';
import type { Asks } from '../calls/asks.ts';
import type { BusLine } from '../messages/bus-line.ts';
import type { BusMessage } from '../messages/bus-message.ts';
import type { DroppedMessages } from '../messages/dropped-messages.ts';
import { FollowedStream } from './followed-stream.ts';

/** The streams of other replicas that this one follows. */
export class FollowedStreams {
  readonly #line: BusLine;
  readonly #asks: Asks;
  readonly #dropped: DroppedMessages;
  readonly #streams = new LiveMap<FollowedStream>();

  constructor(line: BusLine, asks: Asks, dropped: DroppedMessages) {
    this.#line = line;
    this.#asks = asks;
    this.#dropped = dropped;
  }

  /** Opens a stream (`ReplicaBus.follow`). Its first messages may come before the other replica has confirmed it. */
  async follow(call: BusCall, signal: AbortSignal | undefined): Promise<AsyncIterable<unknown>> {
    if (this.#streams.size >= mostStreams) throw new BusAway('too many streams are followed');
    const id = randomId();
    const onEnd = (): void => void this.#streams.delete(id);
    const stream = new FollowedStream({
      line: this.#line,
      dropped: this.#dropped,
      replica: call.replica,
      id,
      signal,
      onEnd,
    });
    this.#streams.set(id, stream);
    try {
      await this.#asks.ask({ type: 'open', id, call, signal });
    } catch (error) {
      stream.fail(error);
      throw error;
    }
    stream.opened();
    return stream;
  }

  take(message: BusMessage<'item' | 'beat' | 'end'>): void {
    const stream = this.#streams.get(message.id);
    if (stream?.replica === message.from) stream.take(message);
    else this.#dropped.drop('stray');
  }

  close(): void {
    for (const stream of this.#streams.values()) stream.fail(new BusAway('this replica ends'));
  }
}
