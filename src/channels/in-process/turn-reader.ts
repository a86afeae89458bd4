import type { RecordedEvent } from '../../core/events/turn-event.ts';
import type { TurnListener } from '../../core/record/turn-listener.ts';
import { stopQuietly, type Turn, type TurnSubscription } from '../../core/turn/live/turn.ts';
import { streamItemJson } from '../shared/hub-event-names.ts';
import type { HelperEvent, HelperTurn } from './helper-session.ts';

export interface TurnReaderOptions {
  /** The most bytes of events that may wait for their reader. With more, reading from the model pauses (`server.maxBufferedBytes`). */
  readonly maxBufferedBytes: number;
  /** Aborting it is Stop. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds a reader may leave its buffer full before the turn is stopped. Default 60,000. */
  readonly stallTimeoutMs?: number;
}

const over = { done: true, value: undefined } as const;

/**
 * The events of one turn as an iterator. Events wait for their reader. When too many bytes wait, reading from the model pauses. A turn
 * whose reader does not continue is stopped.
 */
export class TurnReader implements TurnListener, HelperTurn {
  readonly #options: TurnReaderOptions;
  readonly #stopping = new AbortController();
  readonly #texts: string[] = [];
  readonly #readers: ((result: IteratorResult<HelperEvent, undefined>) => void)[] = [];
  #bufferedBytes = 0;
  #turn: Turn | undefined;
  #subscription: TurnSubscription | undefined;
  #stalled: NodeJS.Timeout | undefined;
  #ended = false;
  #left = false;
  readonly #stop = (): void => {
    this.#stopping.abort();
    if (this.#turn !== undefined) stopQuietly(this.#turn, 'user');
  };

  constructor(options: TurnReaderOptions) {
    this.#options = options;
    const { signal } = options;
    if (signal?.aborted === true) this.#stop();
    else signal?.addEventListener('abort', this.#stop, { once: true });
  }

  /** Aborted when the turn must be stopped, or when the waiting message must be removed. */
  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Begins to read a turn. */
  follow(turn: Turn): void {
    this.#turn = turn;
    this.#subscription = turn.subscribe(this, 0);
    if (this.#subscription === undefined) this.onEnd();
    if (this.#stopping.signal.aborted) stopQuietly(turn, 'user');
    this.#watch();
  }

  /** Ends the iterator when there is no turn to read. */
  end(): void {
    this.onEnd();
  }

  onEvent(event: RecordedEvent): void {
    if (this.#left) return;
    const text = streamItemJson(event);
    const reader = this.#readers.shift();
    if (reader !== undefined) {
      reader({ done: false, value: read(text) });
      return;
    }
    this.#texts.push(text);
    this.#bufferedBytes += Buffer.byteLength(text);
    this.#watch();
  }

  onEnd(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#options.signal?.removeEventListener('abort', this.#stop);
    clearTimeout(this.#stalled);
    for (const reader of this.#readers.splice(0)) reader(over);
  }

  [Symbol.asyncIterator](): HelperTurn {
    return this;
  }

  next(): Promise<IteratorResult<HelperEvent, undefined>> {
    const text = this.#texts.shift();
    if (text !== undefined) {
      this.#bufferedBytes -= Buffer.byteLength(text);
      this.#watch();
      return Promise.resolve({ done: false, value: read(text) });
    }
    if (this.#ended || this.#left) return Promise.resolve(over);
    return new Promise((resolve) => this.#readers.push(resolve));
  }

  /** Called when the reader leaves before the end, which is Stop. */
  return(): Promise<IteratorResult<HelperEvent, undefined>> {
    this.#left = true;
    this.#texts.length = 0;
    this.#bufferedBytes = 0;
    for (const reader of this.#readers.splice(0)) reader(over);
    if (!this.#ended) this.#stop();
    this.#watch();
    return Promise.resolve(over);
  }

  /** Pauses the model while too many bytes wait, but not longer than the time limit. */
  #watch(): void {
    const isFull = this.#bufferedBytes > this.#options.maxBufferedBytes && !this.#ended;
    this.#subscription?.setPaused(isFull);
    if (!isFull) {
      clearTimeout(this.#stalled);
      this.#stalled = undefined;
      return;
    }
    this.#stalled ??= setTimeout(() => {
      // The paused turn must continue to reach its end.
      this.#subscription?.setPaused(false);
      if (this.#turn !== undefined) stopQuietly(this.#turn, 'grace-over');
    }, this.#options.stallTimeoutMs ?? 60_000);
  }
}

function read(text: string): HelperEvent {
  const event: unknown = JSON.parse(text);
  return event as HelperEvent; // written by the core, whose events `hubEventNames` has compared with these types
}
