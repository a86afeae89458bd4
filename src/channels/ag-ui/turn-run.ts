import type { RecordedEvent } from '../../core/events/turn-event.ts';
import type { TurnListener } from '../../core/record/turn-listener.ts';
import { stopQuietly, type Turn, type TurnSubscription } from '../../core/turn/live/turn.ts';
import { ClientCalls } from './client-calls.ts';
import type { ClientTools, InputTool, LeftOut } from './client-tools.ts';
import type { RunIds } from './run-ids.ts';
import { endingOf, faultOf, interruptOf, type RunEvent, RunEvents } from './run-events.ts';

/** Most events that wait for a run, pieces of text not counted. A turn that brings more, read by nobody, is stopped. */
const mostWaiting = 10_000;

const takenOver = faultOf('turn_in_progress', 'Another reader has taken this run over.');

/** A run: one request of a client. */
export interface RunSink {
  send(events: readonly RunEvent[]): void;
  /** The last event of the run. */
  end(event: RunEvent): void;
}

export interface TurnRunOptions {
  readonly tools: ClientTools;
  /** The id that the client has given to the message of the turn. */
  readonly messageId: string | undefined;
  /** The sentences that take back a text, and that tell that a turn was interrupted. */
  readonly texts: { readonly withdrawn: string; readonly interrupted: string };
  /** The client was told what happened so far by an earlier process. */
  readonly isTakenUp: boolean;
}

/**
 * A turn, and the runs that it takes: a question to the user ends a run, and so does a call of a tool of the client. The answer comes with
 * the next run (contract/ag-ui.md#runs). It reads the turn all the time, so that the turn goes on between two runs.
 */
export class TurnRun implements TurnListener {
  readonly turn: Turn;
  readonly messageId: string | undefined;
  readonly uiActions: ClientCalls;
  readonly #tools: ClientTools;
  readonly #events: RunEvents;
  readonly #interrupted: string;
  readonly #subscription: TurnSubscription | undefined;
  #hasLeft = false;
  #waiting: RunEvent[] = [];
  #run: (RunIds & { readonly sink: RunSink }) | undefined;
  #isTold = false;
  #asking: NodeJS.Immediate | undefined;

  constructor(turn: Turn, { tools, messageId, texts, isTakenUp }: TurnRunOptions) {
    this.turn = turn;
    this.messageId = messageId;
    this.#tools = tools;
    this.#interrupted = texts.interrupted;
    this.#events = new RunEvents(texts.withdrawn, tools);
    this.uiActions = new ClientCalls({
      tools,
      onCall: () => {
        this.#endIfDone();
      },
      onTimeout: () => {
        this.stopUnread();
      },
    });
    // Of a very long turn the first events can no longer be read.
    this.#subscription = turn.subscribe(this, 0) ?? turn.subscribe(this, turn.lastSeq);
    // What the client was told counts as told: its calls, its text, and how the turn has ended.
    if (isTakenUp) {
      this.#events.closed();
      this.#waiting = [];
    }
    if (this.#subscription === undefined) this.onEnd();
  }

  /** Whether a client was told how the turn has ended. */
  get isTold(): boolean {
    return this.#isTold;
  }

  /** Whether a run reads the turn now. */
  get isRead(): boolean {
    return this.#run !== undefined;
  }

  /** Whether the turn asks its user something, and no run reads it. */
  get isLeftAsking(): boolean {
    return this.#run === undefined && this.#events.end === undefined && this.#events.questions.length > 0;
  }

  /** Whether this question was asked in the turn, or waits in it. */
  hasAsked(actionId: string): boolean {
    return this.#events.hasAsked(actionId);
  }

  /** The answer to this question is stored. */
  answered(actionId: string): void {
    this.#events.answered(actionId);
  }

  /** Puts the tools of the client in the place of its earlier ones. Left out, they stay. */
  offer(tools: readonly InputTool[] | undefined): readonly LeftOut[] {
    return tools === undefined ? [] : this.#tools.offer(tools);
  }

  /** Begins a run with what has happened since the last one, after `first`. */
  open(ids: RunIds, sink: RunSink, first: readonly RunEvent[]): void {
    const earlier = this.#run;
    this.#run = { ...ids, sink };
    // A text that is open is of the earlier run. What comes is a text of this one.
    earlier?.sink.send(this.#events.closed());
    earlier?.sink.end(takenOver);
    this.setPaused(false);
    sink.send([...first, ...this.#waiting]);
    this.#waiting = [];
    this.#endIfDone();
  }

  /** A client that reads too slowly holds the model back. */
  setPaused(paused: boolean): void {
    this.#subscription?.setPaused(paused);
  }

  /** The client of the run has gone. Nobody else can read the reply, unless the user is asked for something. */
  leave(sink: RunSink): void {
    if (this.#run?.sink !== sink) return;
    this.#run = undefined;
    // The text that this client has begun to read goes on as another one.
    this.#events.closed();
    this.setPaused(false);
    this.stopUnread();
  }

  /** Stops a turn that nobody reads and that waits for nobody. */
  stopUnread(): void {
    const { end, questions } = this.#events;
    const isAsked = questions.length > 0 || this.uiActions.waiting.length > 0;
    if (this.#run === undefined && end === undefined && !isAsked) stopQuietly(this.turn, 'connection-closed');
  }

  onEvent(event: RecordedEvent): void {
    // What comes between two runs is read by a client that is not known yet.
    this.#told(this.#events.read(event, this.#run?.protocolVersion === undefined));
    this.#endIfDone();
  }

  onEnd(): void {
    this.#hasLeft = true;
    this.#endIfDone();
  }

  #told(events: readonly RunEvent[]): void {
    if (this.#run !== undefined) {
      this.#run.sink.send(events);
      return;
    }
    for (const event of events) this.#keep(event);
    if (this.#waiting.length > mostWaiting) stopQuietly(this.turn, 'connection-closed');
  }

  /** Pieces of one text wait as one piece, so that a reply of any length has room. */
  #keep(event: RunEvent): void {
    const last = this.#waiting.at(-1);
    if (last === undefined || event.type !== 'TEXT_MESSAGE_CONTENT' || last.type !== event.type) {
      this.#waiting.push(event);
      return;
    }
    // Only one text is open at a time, and texts have deltas.
    const delta = String(last['delta']) + String(event['delta']);
    this.#waiting[this.#waiting.length - 1] = { ...last, delta };
  }

  #endIfDone(): void {
    const { end, questions } = this.#events;
    if (this.#run === undefined) return;
    if (end !== undefined) this.#finish(endingOf(end, this.#run), true);
    else if (this.#hasLeft)
      this.#finish(this.#isTakenOver ? takenOver : faultOf('interrupted', this.#interrupted), true);
    else if (questions.length > 0 || this.uiActions.waiting.length > 0) this.#askSoon();
  }

  /** Whether the turn goes on in this process, where something else reads it. */
  get #isTakenOver(): boolean {
    return this.turn.running && !this.turn.suspended;
  }

  /** Calls of one round ask at the same time, so they go together. */
  #askSoon(): void {
    this.#asking ??= setImmediate(() => {
      this.#asking = undefined;
      this.#ask();
    });
  }

  #ask(): void {
    if (this.#run === undefined) return;
    const { threadId, runId, protocolVersion, sink } = this.#run;
    sink.send(this.uiActions.tell().flatMap((call) => this.#events.called(call)));
    const pendingToolCallIds = this.uiActions.waiting;
    const interrupts = this.#events.questions.map(interruptOf);
    if (interrupts.length === 0 && pendingToolCallIds.length === 0) return;
    sink.send(this.#events.closed());
    const outcome = interrupts.length > 0 ? { type: 'interrupt', interrupts } : { type: 'success', pendingToolCallIds };
    // Clients of versions before 1.0 count the calls without a result themselves, and go on only after a run without an outcome.
    const isCounted = interrupts.length === 0 && protocolVersion === undefined;
    this.#finish({ type: 'RUN_FINISHED', threadId, runId, ...(isCounted ? {} : { outcome }) }, false);
  }

  #finish(event: RunEvent, isTold: boolean): void {
    const run = this.#run;
    this.#run = undefined;
    this.#isTold = isTold;
    // What comes until the next run waits here, however slowly this client reads.
    this.setPaused(false);
    run?.sink.end(event);
  }
}
