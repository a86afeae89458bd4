import type { ServerResponse } from 'node:http';
import { flushAfterReads } from '../../core/base/flush-round.ts';
import { stopQuietly } from '../../core/turn/live/turn.ts';
import type { PingClock } from '../shared/ping-clock.ts';
import { StreamBody } from '../shared/stream-body.ts';
import type { RunEvent } from './run-events.ts';
import type { RunIds, RunSink, TurnRun } from './turn-run.ts';

export interface RunStreamOptions {
  readonly ids: RunIds;
  readonly pings: PingClock;
}

/** Milliseconds that a client may leave its buffer full before its stream is closed. */
const stallTimeoutMs = 60_000;

/** One response as the reader of one run (contract/ag-ui.md#runs). */
export class RunStream implements RunSink {
  readonly #response: ServerResponse;
  readonly #ids: RunIds;
  readonly #body: StreamBody;
  readonly #stopPings: () => void;
  #pending = '';
  #hasEnded = false;
  #stalled: NodeJS.Timeout | undefined;
  readonly #resume = (): void => {
    clearTimeout(this.#stalled);
    this.#stalled = undefined;
  };

  constructor(response: ServerResponse, { ids: { threadId, runId }, pings }: RunStreamOptions) {
    this.#response = response;
    this.#ids = { threadId, runId };
    this.#body = new StreamBody(response);
    this.#stopPings = pings.add(this.#body);
  }

  open(run: TurnRun): void {
    this.#body.open(frameOf({ type: 'RUN_STARTED', ...this.#ids }));
    this.#response.once('close', () => {
      this.#hasEnded = true;
      this.#stopPings();
      clearTimeout(this.#stalled);
      // Nobody reads the reply any more, and nobody is asked who could come back.
      if (run.leave(this)) stopQuietly(run.turn, 'connection-closed');
    });
    run.open(this.#ids, this);
  }

  send(events: readonly RunEvent[]): void {
    if (events.length === 0 || this.#hasEnded) return;
    if (this.#pending === '') flushAfterReads(this);
    this.#pending += events.map(frameOf).join('');
  }

  flush(): void {
    if (this.#pending === '' || this.#hasEnded) return;
    const text = this.#pending;
    this.#pending = '';
    if (this.#body.write(text, this.#resume)) return;
    this.#stalled ??= setTimeout(() => this.#response.destroy(), stallTimeoutMs);
  }

  end(event: RunEvent): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#stopPings();
    this.#body.end(this.#pending + frameOf(event));
    this.#pending = '';
  }
}

/** A server-sent event, as the encoder of the protocol writes it. */
function frameOf(event: object): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}
