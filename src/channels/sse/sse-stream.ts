import { flushAfterReads } from '../../core/base/flush-round.ts';
import type { RecordedEvent } from '../../core/events/turn-event.ts';
import type { TurnListener } from '../../core/record/turn-listener.ts';
import type { Turn, TurnSubscription } from '../../core/turn/live/turn.ts';
import type { Answer } from '../shared/once-over.ts';
import type { PingClock } from '../shared/ping-clock.ts';
import { eventFrame, idHead, openingFrame } from './sse-frame.ts';
import { StreamBody } from '../shared/stream-body.ts';

export interface SseStreamOptions {
  /** The number of the last event that the client has. */
  readonly afterSeq: number;
  readonly pings: PingClock;
  /** As that of `StreamBody`. */
  readonly stallTimeoutMs: number | undefined;
}

/**
 * One response as the reader of one turn (contract/sse.md). All events of one tick are one write. A full buffer pauses the model. When the
 * response closes, the turn has no reader and goes on for the grace period.
 */
export class SseStream implements TurnListener {
  readonly #body: StreamBody;
  readonly #turnId: string;
  readonly #idHead: string;
  readonly #afterSeq: number;
  #subscription: TurnSubscription | undefined;
  #pending = '';
  #ended = false;

  constructor(answer: Answer, turnId: string, { afterSeq, ...options }: SseStreamOptions) {
    this.#turnId = turnId;
    this.#idHead = idHead(turnId);
    this.#afterSeq = afterSeq;
    this.#body = new StreamBody(answer, {
      ...options,
      onDrain: () => this.#subscription?.setPaused(false),
      onOver: () => {
        this.#leave();
      },
    });
  }

  /** Opens the stream and begins to read. When the turn's events after `afterSeq` are gone, the stream ends at once. */
  open(turn: Turn): void {
    // The head is sent at once, whatever the model does.
    this.#body.open(openingFrame(this.#turnId, this.#afterSeq));
    this.#subscription = turn.subscribe(this, this.#afterSeq);
    if (this.#subscription === undefined) this.onEnd();
  }

  onEvent(event: RecordedEvent): void {
    const frame = eventFrame(this.#idHead, event, event.seq > this.#afterSeq);
    if (frame === '') return;
    // All events that one read of the model causes, up to the end of the turn, are one write.
    if (this.#pending === '') flushAfterReads(this);
    this.#pending += frame;
  }

  flush(): void {
    if (this.#pending === '' || this.#ended) return;
    const frames = this.#pending;
    this.#pending = '';
    if (!this.#body.write(frames)) this.#subscription?.setPaused(true);
  }

  onEnd(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#body.end(this.#pending);
    this.#pending = '';
  }

  #leave(): void {
    this.#ended = true;
    this.#subscription?.close();
    // Node may keep a closed response in memory for a long time. The turn must not stay in memory with it.
    this.#subscription = undefined;
  }
}
