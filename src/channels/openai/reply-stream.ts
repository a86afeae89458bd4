import { flushAfterReads } from '../../core/base/flush-round.ts';
import type { RecordedEvent } from '../../core/events/turn-event.ts';
import type { TurnListener } from '../../core/record/turn-listener.ts';
import type { Turn, TurnSubscription } from '../../core/turn/live/turn.ts';
import type { Answer } from '../shared/once-over.ts';
import type { PingClock } from '../shared/ping-clock.ts';
import { StreamBody } from '../shared/stream-body.ts';
import type { ReplyEvents } from './reply-events.ts';
import type { ReplyWire } from './reply-wire.ts';

export interface ReplyStreamOptions {
  readonly wire: ReplyWire;
  readonly events: ReplyEvents;
  readonly pings: PingClock;
  /** As that of `StreamBody`. */
  readonly stallTimeoutMs: number | undefined;
}

/** One response as the reader of one turn. A full buffer pauses the model (contract/openai.md#streams). */
export class ReplyStream implements TurnListener {
  readonly #options: ReplyStreamOptions;
  readonly #body: StreamBody;
  readonly #turn: Turn;
  #subscription: TurnSubscription | undefined;
  #pending = '';
  #hasEnded = false;

  constructor(turn: Turn, answer: Answer, options: ReplyStreamOptions) {
    this.#turn = turn;
    this.#options = options;
    this.#body = new StreamBody(answer, {
      ...options,
      onDrain: () => this.#subscription?.setPaused(false),
      onOver: () => {
        this.#hasEnded = true;
        this.#subscription?.close();
        this.#subscription = undefined;
      },
    });
  }

  open(): void {
    this.#body.open(this.#options.wire.opening());
    this.#subscription = this.#turn.subscribe(this, 0);
    if (this.#subscription === undefined) this.onEnd();
  }

  onEvent(event: RecordedEvent): void {
    const { events, wire } = this.#options;
    const piece = events.read(event);
    if (piece === '') return;
    if (this.#pending === '') flushAfterReads(this);
    this.#pending += wire.text(piece);
  }

  flush(): void {
    if (this.#pending === '' || this.#hasEnded) return;
    const events = this.#pending;
    this.#pending = '';
    if (!this.#body.write(events)) this.#subscription?.setPaused(true);
  }

  onEnd(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    const { events, wire } = this.#options;
    this.#body.end(this.#pending + wire.ending(events.endOf(this.#turn)));
    this.#pending = '';
  }
}
