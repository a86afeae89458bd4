import type { ServerResponse } from 'node:http';
import { flushAfterReads } from '../../core/base/flush-round.ts';
import type { RecordedEvent } from '../../core/events/turn-event.ts';
import type { TurnListener } from '../../core/record/turn-listener.ts';
import type { Turn, TurnSubscription } from '../../core/turn/live/turn.ts';
import type { PingClock } from '../shared/ping-clock.ts';
import { StreamBody } from '../shared/stream-body.ts';
import type { ReplyEvents } from './reply-events.ts';
import type { ReplyWire } from './reply-wire.ts';

export interface ReplyStreamOptions {
  readonly wire: ReplyWire;
  readonly events: ReplyEvents;
  readonly pings: PingClock;
  /** Milliseconds a client may leave its buffer full before its stream is closed. */
  readonly stallTimeoutMs: number;
}

/** One response as the reader of one turn. A full buffer pauses the model (contract/openai.md#streams). */
export class ReplyStream implements TurnListener {
  readonly #response: ServerResponse;
  readonly #options: ReplyStreamOptions;
  readonly #body: StreamBody;
  readonly #stopPings: () => void;
  readonly #turn: Turn;
  #subscription: TurnSubscription | undefined;
  #pending = '';
  #hasEnded = false;
  #stalled: NodeJS.Timeout | undefined;
  readonly #resume = (): void => {
    clearTimeout(this.#stalled);
    this.#stalled = undefined;
    this.#subscription?.setPaused(false);
  };

  constructor(turn: Turn, response: ServerResponse, options: ReplyStreamOptions) {
    this.#turn = turn;
    this.#response = response;
    this.#options = options;
    this.#body = new StreamBody(response);
    this.#stopPings = options.pings.add(this.#body);
    response.on('close', () => {
      this.#leave();
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
    if (this.#body.write(events, this.#resume)) return;
    this.#subscription?.setPaused(true);
    this.#watchStall();
  }

  onEnd(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    const { events, wire } = this.#options;
    this.#body.end(this.#pending + wire.ending(events.endOf(this.#turn)));
    this.#pending = '';
    this.#stopPings();
    if (!this.#response.writableFinished) this.#watchStall();
  }

  #watchStall(): void {
    this.#stalled ??= setTimeout(() => this.#response.destroy(), this.#options.stallTimeoutMs);
  }

  #leave(): void {
    this.#hasEnded = true;
    this.#stopPings();
    clearTimeout(this.#stalled);
    this.#subscription?.close();
    this.#subscription = undefined;
  }
}
