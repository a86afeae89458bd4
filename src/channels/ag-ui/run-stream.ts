import { flushAfterReads } from '../../core/base/flush-round.ts';
import type { Answer } from '../shared/once-over.ts';
import type { PingClock } from '../shared/ping-clock.ts';
import { StreamBody } from '../shared/stream-body.ts';
import type { RunEvent } from './run-events.ts';
import type { RunIds } from './run-ids.ts';
import type { RunSink, TurnRun } from './turn-run.ts';

export interface RunStreamOptions {
  readonly ids: RunIds;
  readonly pings: PingClock;
}

/** One response as the reader of one run (contract/ag-ui.md#runs). A full buffer pauses the model. */
export class RunStream implements RunSink {
  readonly #ids: RunIds;
  readonly #body: StreamBody;
  #run: TurnRun | undefined;
  #pending = '';
  #hasEnded = false;

  constructor(answer: Answer, { ids: { threadId, runId, protocolVersion }, pings }: RunStreamOptions) {
    this.#ids = { threadId, runId, ...(protocolVersion === undefined ? {} : { protocolVersion }) };
    this.#body = new StreamBody(answer, {
      pings,
      onDrain: () => this.#run?.setPaused(false),
      onOver: () => {
        this.#hasEnded = true;
        this.#run?.leave(this);
      },
    });
  }

  /** Tells the run to its end. `first` comes before all that it has come to. Without a run there is nothing more to tell. */
  open(run: TurnRun | undefined, first: readonly RunEvent[]): void {
    const { threadId, runId } = this.#ids;
    this.#body.open(frameOf({ type: 'RUN_STARTED', threadId, runId, protocolVersion: '1.0' }));
    this.#run = run;
    if (run !== undefined) {
      run.open(this.#ids, this, first);
      return;
    }
    this.send(first);
    this.end({ type: 'RUN_FINISHED', threadId, runId, outcome: { type: 'success' } });
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
    if (!this.#body.write(text)) this.#run?.setPaused(true);
  }

  end(event: RunEvent): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#body.end(this.#pending + frameOf(event));
    this.#pending = '';
  }
}

/** A server-sent event, as the encoder of the protocol writes it. */
function frameOf(event: object): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}
