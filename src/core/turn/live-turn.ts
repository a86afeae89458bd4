import { HelperError } from '../errors/helper-error.ts';
import type { Principal } from '../identity/principal.ts';
import type { ConfirmationRequest, RecordedEvent, TurnEvent } from './turn-event.ts';
import { EndedTurn } from './ended-turn.ts';
import { PausableFlow } from './read-flow.ts';
import type { SealedLogContent } from './sealed-log.ts';
import type { TurnEvents } from './turn-events.ts';
import type { TurnSuspension, WaitingTurn } from './turn-suspension.ts';
import type { StopReason, Turn, TurnListener, TurnResult, TurnSubscription } from './turn.ts';

/** The reason of a turn's aborted signal. */
export class TurnStopped extends Error {
  override readonly name = 'TurnStopped';
  readonly reason: StopReason;

  constructor(reason: StopReason) {
    super(`the turn was stopped: ${reason}`);
    this.reason = reason;
  }
}

/** A Stop that comes too late for this process: the turn waits for the next one (wire.md 10). */
export function leftToNextProcess(): HelperError {
  return new HelperError('server_draining', 'The server restarts: stop the turn once it is back.');
}

export interface LiveTurnOptions {
  readonly id: string;
  readonly conversationId: string;
  readonly principal: Principal;
  readonly events: TurnEvents;
  /** Milliseconds a turn without a reader lives on (wire.md 3 and 4, `server.disconnectGrace`). */
  readonly disconnectGraceMs: number;
}

/** A turn while it runs, and for the resume window after it: its events, its one reader, its stop. */
export class LiveTurn implements Turn {
  readonly id: string;
  readonly conversationId: string;
  readonly principal: Principal;
  readonly events: TurnEvents;
  readonly flow = new PausableFlow();
  readonly result: Promise<TurnResult>;
  /** The session whose conversation it belongs to, where that can be handed over (wire.md 3, `Resume`). */
  owner: object | undefined;
  /** With `hitlMode: Native`: what keeps it while it waits for answers. */
  suspension: TurnSuspension | undefined;
  #waiting: WaitingTurn | undefined;
  #suspended = false;
  #isRestored = false;
  readonly #abort = new AbortController();
  readonly #disconnectGraceMs: number;
  /** Made with the first one: most turns have none. */
  #openConfirmations: Map<string, RecordedEvent> | undefined;
  readonly #resolve: (result: TurnResult) => void;
  #graceTimer: NodeJS.Timeout | undefined;

  constructor(options: LiveTurnOptions) {
    this.id = options.id;
    this.conversationId = options.conversationId;
    this.principal = options.principal;
    this.events = options.events;
    this.#disconnectGraceMs = options.disconnectGraceMs;
    const { promise, resolve } = Promise.withResolvers<TurnResult>();
    this.result = promise;
    this.#resolve = resolve;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get running(): boolean {
    return !this.events.ended;
  }

  /** What it waits for its user with, or waited with when it was stopped. */
  get waiting(): WaitingTurn | undefined {
    return this.#waiting ?? this.suspension?.waiting;
  }

  get reopened(): Promise<void> {
    return this.suspension?.restored ?? Promise.resolve();
  }

  /** The questions that wait for an answer, as they were sent. */
  get openConfirmations(): readonly RecordedEvent[] {
    return [...(this.#openConfirmations?.values() ?? [])];
  }

  /** It waits for the next process. */
  get suspended(): boolean {
    return this.#suspended;
  }

  get lastSeq(): number {
    return this.events.lastSeq;
  }

  canReplay(afterSeq: number): boolean {
    return this.events.log.reaches(afterSeq);
  }

  subscribe(listener: TurnListener, afterSeq: number): TurnSubscription | undefined {
    const missed = this.events.after(afterSeq);
    if (missed === undefined) return undefined;
    clearTimeout(this.#graceTimer);
    this.flow.setPaused(false);
    this.events.setListener(listener);
    for (const event of this.#openConfirmations?.values() ?? []) if (event.seq <= afterSeq) listener.onEvent(event);
    for (const event of missed) listener.onEvent(event);
    if (!this.running) this.events.setListener(undefined);
    return {
      setPaused: (paused) => {
        if (this.events.isListener(listener)) this.flow.setPaused(paused);
      },
      close: () => {
        this.#leave(listener);
      },
    };
  }

  stop(reason: StopReason): boolean {
    if (!this.running || this.#suspended || this.#abort.signal.aborted) return false;
    this.#waiting = this.suspension?.waiting;
    this.#abort.abort(new TurnStopped(reason));
    return true;
  }

  /** Takes up the events of an earlier process. */
  restore(events: SealedLogContent): void {
    this.#isRestored = true;
    this.events.restore(events);
  }

  /** Leaves the turn to the next process (wire.md 5 and 10): its stream closes without an end, and nothing stops it here. */
  suspend(): void {
    this.#suspended = true;
    clearTimeout(this.#graceTimer);
    this.events.flush();
    this.events.setListener(undefined);
  }

  /** Emits a confirmation and keeps it at hand for readers that come later. */
  confirmationOpened(request: ConfirmationRequest): void {
    this.#openConfirmations ??= new Map();
    const event = this.#requestSentBefore(request.actionId);
    this.#openConfirmations.set(
      request.actionId,
      event ?? this.events.emit({ type: 'confirmation-requested', ...request }),
    );
  }

  confirmationClosed(actionId: string): void {
    this.#openConfirmations?.delete(actionId);
  }

  /** After the last event: lets go of the reader and says how the turn ended. Returns what is kept of it. */
  finish(result: TurnResult): EndedTurn {
    clearTimeout(this.#graceTimer);
    this.#openConfirmations = undefined;
    this.events.end();
    this.#resolve(result);
    return new EndedTurn({
      id: this.id,
      conversationId: this.conversationId,
      principal: this.principal,
      owner: this.owner,
      log: this.events.log.sealed(),
    });
  }

  /** Ends a question that was decided in an earlier process, unless its end was kept with the events. */
  resolvedBefore(
    actionId: string,
    decision: Pick<Extract<TurnEvent, { readonly type: 'confirmation-resolved' }>, 'outcome' | 'by'>,
  ): void {
    if (this.#kept('confirmation-resolved', actionId) !== undefined) return;
    this.events.emit({ type: 'confirmation-resolved', actionId, ...decision });
  }

  /** The event of a question, while it is among those that can still be read. */
  #kept(type: TurnEvent['type'], actionId: string): RecordedEvent | undefined {
    const mark = `"actionId":${JSON.stringify(actionId)}`;
    const events = this.events.after(this.events.log.firstSeq - 1);
    return events?.find((event) => event.type === type && event.json.includes(mark));
  }

  /** A question that an earlier process had put keeps its number. */
  #requestSentBefore(actionId: string): RecordedEvent | undefined {
    if (!this.#isRestored) return undefined;
    return this.#kept('confirmation-requested', actionId);
  }

  #leave(listener: TurnListener): void {
    if (!this.events.isListener(listener)) return;
    this.events.setListener(undefined);
    this.flow.setPaused(false);
    if (!this.running || this.#suspended) return;
    if (this.#disconnectGraceMs === 0) {
      this.stop('grace-over');
      return;
    }
    this.#graceTimer = setTimeout(() => {
      if (!this.events.hasListener) this.stop('grace-over');
    }, this.#disconnectGraceMs);
  }
}
