import type { RecordedEvent } from '../../core/events/turn-event.ts';
import type { TurnListener } from '../../core/record/turn-listener.ts';
import type { Turn } from '../../core/turn/live/turn.ts';
import { interruptOf, type RunEvent, RunEvents } from './run-events.ts';

/** Most events that wait for a run while the user is asked. What comes after that is left out. */
const mostWaiting = 10_000;

/** A run: one request of a client. */
export interface RunSink {
  send(events: readonly RunEvent[]): void;
  /** The last event of the run. */
  end(event: RunEvent): void;
}

/** The ids by which a client knows a run. */
export interface RunIds {
  readonly threadId: string;
  readonly runId: string;
}

/**
 * A turn, and the runs that it takes: a question to the user ends a run, and the answer comes with the next one (contract/ag-ui.md#runs). It
 * reads the turn all the time, so that the turn goes on between two runs.
 */
export class TurnRun implements TurnListener {
  readonly turn: Turn;
  readonly #events: RunEvents;
  #waiting: RunEvent[] = [];
  #run: (RunIds & { readonly sink: RunSink }) | undefined;
  #asking: NodeJS.Immediate | undefined;

  constructor(turn: Turn, withdrawn: string) {
    this.turn = turn;
    this.#events = new RunEvents(withdrawn);
    if (turn.subscribe(this, 0) === undefined) this.onEnd();
  }

  /** The ids of the questions that wait. */
  get questions(): readonly string[] {
    return this.#events.questions.map(({ actionId }) => actionId);
  }

  /** Whether a run reads the turn now. */
  get isRead(): boolean {
    return this.#run !== undefined;
  }

  /** Begins a run with what has happened since the last one. */
  open(ids: RunIds, sink: RunSink): void {
    this.#run = { ...ids, sink };
    sink.send(this.#waiting);
    this.#waiting = [];
    this.#endIfDone();
  }

  /** The client of the run has gone. Returns whether it was reading a turn that nobody is asked about. */
  leave(sink: RunSink): boolean {
    if (this.#run?.sink !== sink) return false;
    this.#run = undefined;
    return this.#events.end === undefined && this.#events.questions.length === 0;
  }

  onEvent(event: RecordedEvent): void {
    const told = this.#events.read(event);
    if (this.#run !== undefined) this.#run.sink.send(told);
    else if (this.#waiting.length < mostWaiting) this.#waiting.push(...told);
    this.#endIfDone();
  }

  onEnd(): void {
    this.#endIfDone();
  }

  #endIfDone(): void {
    const { end, questions } = this.#events;
    if (this.#run === undefined) return;
    if (end !== undefined) {
      this.#finish(endingOf(end, this.#run));
    } else if (questions.length > 0) {
      // Calls of one round ask at the same time, so their questions go together.
      this.#asking ??= setImmediate(() => {
        this.#asking = undefined;
        this.#ask();
      });
    }
  }

  #ask(): void {
    const { questions } = this.#events;
    if (this.#run === undefined || questions.length === 0) return;
    const { threadId, runId, sink } = this.#run;
    sink.send(this.#events.closed());
    const outcome = { type: 'interrupt', interrupts: questions.map(interruptOf) };
    this.#finish({ type: 'RUN_FINISHED', threadId, runId, outcome });
  }

  #finish(event: RunEvent): void {
    const run = this.#run;
    this.#run = undefined;
    run?.sink.end(event);
  }
}

/** How the end of a turn is told (contract/ag-ui.md#runs). */
function endingOf(
  { status, code, message, usage: { model, inputTokens, outputTokens }, receipts }: NonNullable<RunEvents['end']>,
  { threadId, runId }: RunIds,
): RunEvent {
  const usage = [{ model, inputTokens, outputTokens, totalTokens: inputTokens + outputTokens }];
  const result = receipts === undefined ? {} : { result: { receipts } };
  switch (status) {
    case 'completed':
      return { type: 'RUN_FINISHED', threadId, runId, outcome: { type: 'success' }, usage, ...result };
    case 'stopped':
      return { type: 'RUN_FINISHED', threadId, runId, outcome: { type: 'cancelled' }, usage, ...result };
    case 'refused':
    case 'failed':
      return { type: 'RUN_ERROR', message, ...(code === undefined ? {} : { code }), usage };
  }
}
