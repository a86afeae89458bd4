import { AnswerFailed } from '../../../core/ports/answer-failed.ts';
import { BusAway } from '../../../core/ports/bus-away.ts';
import { ReplicaGone } from '../../../core/ports/replica-gone.ts';
import { streamWindow } from '../bus-limits.ts';
import type { BusLine } from '../messages/bus-line.ts';
import type { BusMessage } from '../messages/bus-message.ts';
import type { DroppedMessages } from '../messages/dropped-messages.ts';

/** What a followed stream needs of its surroundings. */
export interface FollowedStreamOptions {
  readonly line: BusLine;
  readonly dropped: DroppedMessages;
  readonly replica: string;
  readonly id: string;
  readonly signal: AbortSignal | undefined;
  /** Called once the stream expects no further message. */
  readonly onEnd: () => void;
}

/** A stream of another replica, as it is read here. It can be read once, by one reader. */
export class FollowedStream implements AsyncIterableIterator<unknown> {
  readonly #options: FollowedStreamOptions;
  #beating: NodeJS.Timeout | undefined;
  /** Messages that have come and are not read yet. */
  readonly #unread: (() => Promise<unknown>)[] = [];
  #received = 0;
  #read = 0;
  #granted = streamWindow;
  #heardAt: number;
  #lastBeatAt = 0;
  #state: 'open' | 'ended' = 'open';
  #fault: Error | undefined;
  #wake: (() => void) | undefined;

  constructor(options: FollowedStreamOptions) {
    this.#options = options;
    this.#heardAt = options.line.clock.elapsed();
    options.signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** The replica that sends. */
  get replica(): string {
    return this.#options.replica;
  }

  /** The other replica has confirmed the stream: from now on each side shows the other one that it lives. A word before that would be about a stream that it does not know, and would end it. */
  opened(): void {
    if (this.#state === 'ended') return;
    const { line } = this.#options;
    this.#heardAt = line.clock.elapsed();
    this.#beating = setInterval(() => void this.#beat(), line.times.heartbeatMs);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<unknown, undefined>> {
    for (;;) {
      const body = this.#unread.shift();
      if (body !== undefined) return { done: false, value: await this.#taken(body) };
      if (this.#state === 'ended') return this.#over();
      const { promise, resolve } = Promise.withResolvers<undefined>();
      this.#wake = () => {
        resolve(undefined);
      };
      await promise;
    }
  }

  /** Leaves the stream. The other replica is told. */
  return(): Promise<IteratorResult<unknown, undefined>> {
    this.#unread.length = 0;
    if (this.#state === 'open') this.#leave(undefined);
    this.#fault = undefined;
    return Promise.resolve({ done: true, value: undefined });
  }

  take(message: BusMessage<'item' | 'beat' | 'end'>): void {
    const { line, dropped } = this.#options;
    if (message.type === 'item' && message.number <= this.#received) {
      dropped.drop('replayed');
      return;
    }
    if (message.type === 'beat' && message.at <= this.#lastBeatAt) {
      dropped.drop('replayed');
      return;
    }
    this.#heardAt = line.clock.elapsed();
    if (message.type === 'item') this.#takeItem(message);
    else if (message.type === 'end') this.#takeEnd(message);
    else {
      this.#lastBeatAt = message.at;
      if (message.number !== this.#received) this.#leave(gap());
    }
  }

  /** Ends the stream with a fault, and tells the other replica. */
  fail(fault: unknown): void {
    if (this.#state === 'open') this.#leave(fault);
  }

  #takeItem(message: BusMessage<'item'>): void {
    if (message.number !== this.#received + 1 || message.number > this.#granted) {
      this.#leave(gap());
      return;
    }
    this.#received += 1;
    // A large body is fetched now: it is not stored for as long as a slow reader may need.
    const body = this.#options.line.bodyOf(message);
    body.catch(() => undefined);
    this.#unread.push(() => body);
    this.#wake?.();
  }

  #takeEnd({ number, code }: BusMessage<'end'>): void {
    if (code === 'lost') this.#end(new BusAway('the other replica has no such stream any more'));
    else if (number !== this.#received) this.#end(gap());
    else this.#end(code === null ? undefined : new AnswerFailed(code));
  }

  async #taken(body: () => Promise<unknown>): Promise<unknown> {
    this.#read += 1;
    if (this.#state === 'open' && this.#granted - this.#read <= streamWindow / 2) this.#grant();
    try {
      return await body();
    } catch (error) {
      this.fail(error);
      this.#unread.length = 0;
      this.#fault = undefined;
      throw error;
    }
  }

  /** The end is told once, and then the stream is over. */
  #over(): IteratorResult<unknown, undefined> {
    const fault = this.#fault;
    this.#fault = undefined;
    if (fault === undefined) return { done: true, value: undefined };
    throw fault;
  }

  #grant(): void {
    this.#granted = this.#read + streamWindow;
    this.#tell({ type: 'grant', number: this.#granted });
  }

  readonly #onAbort = (): void => {
    this.#unread.length = 0;
    this.fail(this.#options.signal?.reason);
  };

  async #beat(): Promise<void> {
    const { line, replica } = this.#options;
    if (line.clock.elapsed() - this.#heardAt <= line.times.silenceMs) {
      this.#grant();
      return;
    }
    const isAlive = await line.carrier.isAlive(replica).catch(() => true);
    this.fail(isAlive ? new BusAway('the other replica is silent') : new ReplicaGone('the other replica is gone'));
  }

  #leave(fault: unknown): void {
    this.#end(fault);
    this.#tell({ type: 'leave' });
  }

  #end(fault: unknown): void {
    this.#state = 'ended';
    this.#fault =
      fault === undefined || fault instanceof Error ? fault : new Error('the reader has left', { cause: fault });
    clearInterval(this.#beating);
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    this.#options.onEnd();
    this.#wake?.();
  }

  /** A word that is lost is said again with the next beat, or the other side gives up by itself. */
  #tell(head: { readonly type: 'grant'; readonly number: number } | { readonly type: 'leave' }): void {
    const { line, replica, id } = this.#options;
    void line.send({ to: replica, id }, head).catch(() => undefined);
  }
}

function gap(): BusAway {
  return new BusAway('a message of the stream is missing');
}
