import { joined } from '../../base/joined.ts';
import { spenderOf } from '../../budgets/spender-of.ts';
import { HelperError } from '../../errors/helper-error.ts';
import type { KeptSource } from '../../events/shown-event.ts';
import type { ChannelName, RecordedEvent } from '../../events/turn-event.ts';
import type { Principal } from '../../identity/principal.ts';
import type { TurnScope } from '../../calls/call-scope.ts';
import { sourcesIn } from '../../knowledge/readable-sources.ts';
import type { Spender } from '../../ports/spender.ts';
import type { StepRecord } from '../../record/step-record.ts';
import type { Tape } from '../../record/tape.ts';
import type { TurnEvents } from '../../record/turn-events.ts';
import type { TurnListener } from '../../record/turn-listener.ts';
import type { TurnRequest } from '../../request/turn-request.ts';
import { EndedTurn } from './ended-turn.ts';
import { PausableFlow } from './read-flow.ts';
import { turnBeginning } from './turn-beginning.ts';
import type { TurnOptions } from './turn-options.ts';
import type { TurnParts } from './turn-parts.ts';
import { TurnStopped } from './turn-stopped.ts';
import type { TurnSnapshot } from './turn-snapshot.ts';
import { type StopReason, stopQuietly, type Turn, type TurnResult, type TurnSubscription } from './turn.ts';
import { UnsettledCalls } from './unsettled-calls.ts';

/** A turn while it runs: its record, its events, its single reader and its stop. */
export class LiveTurn implements Turn, TurnScope {
  readonly id: string;
  readonly conversationId: string;
  readonly request: TurnRequest;
  readonly spender: Spender;
  readonly isCopy: boolean;
  readonly remembered: Set<string>;
  readonly options: TurnOptions;
  readonly record: StepRecord;
  readonly tape: Tape;
  readonly events: TurnEvents;
  readonly flow = new PausableFlow();
  readonly result: Promise<TurnResult>;
  readonly startedAt: number;
  /** The session of the conversation, where that can be handed over (contract/hub.md#when-the-line-breaks, `Resume`). */
  owner: object | undefined;
  readonly #parts: TurnParts<LiveTurn>;
  readonly #abort = new AbortController();
  /** The calls that an earlier run left without an outcome; undefined where there are none. */
  readonly #unsettled: UnsettledCalls | undefined;
  readonly #resolve: (result: TurnResult) => void;
  readonly #active = new Set<string>();
  #suspended = false;
  /** How many calls need the turn to be kept. */
  #keepers = 0;
  #stoppedWaiting: TurnSnapshot | undefined;
  #settling: Promise<unknown>[] = [];
  readonly #putting = new Set<Promise<unknown>>();
  #graceTimer: NodeJS.Timeout | undefined;

  constructor(options: TurnOptions, parts: TurnParts<LiveTurn>) {
    this.options = options;
    this.id = options.id;
    this.conversationId = options.conversationId;
    this.request = options.request;
    this.spender = spenderOf(options.request.caller.principal, options.conversationId);
    this.isCopy = options.isCopy;
    this.remembered = options.remembered;
    this.#parts = parts;
    this.record = parts.record;
    this.tape = parts.tape;
    this.events = parts.events;
    this.startedAt = parts.startedAt;
    this.#unsettled = parts.record.isReplay ? new UnsettledCalls(parts.record) : undefined;
    const { promise, resolve } = Promise.withResolvers<TurnResult>();
    this.result = promise;
    this.#resolve = resolve;
    if (parts.tape.isKept) this.#tapeSteps();
    // An earlier process was told to stop.
    if (parts.record.has('stop') && this.stopReason !== 'interrupted') this.#abortNow();
  }

  get principal(): Principal {
    return this.request.caller.principal;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get running(): boolean {
    return !this.events.ended;
  }

  get lastSeq(): number {
    return this.events.lastSeq;
  }

  get sources(): readonly KeptSource[] {
    return sourcesIn(this.record);
  }

  get channel(): ChannelName {
    return this.request.channel.name;
  }

  get suspended(): boolean {
    return this.#suspended;
  }

  get mayBegin(): boolean {
    return !this.record.has('stop');
  }

  /** Why the turn was stopped; undefined for a turn that was not stopped. */
  get stopReason(): StopReason | undefined {
    return this.record.get('stop') as StopReason | undefined; // recorded by `stop` and `interrupt`
  }

  get stoppedBy(): 'user' | 'system' {
    return this.stopReason === 'user' ? 'user' : 'system';
  }

  /** @throws TurnStopped when nothing new may begin. */
  requireRunning(): void {
    const reason = this.stopReason;
    if (reason !== undefined) throw new TurnStopped(reason);
  }

  /** The questions that wait for an answer, as they were sent. */
  get openConfirmations(): readonly RecordedEvent[] {
    return this.events.openQuestions;
  }

  /** Resolves once every call that was open when this run of the turn began waits for its answer again, or needs none. */
  get callsSettled(): Promise<void> {
    return this.#unsettled?.settled ?? Promise.resolve();
  }

  /** How many calls are under way. Calls that wait for their answer are included. */
  get activeCalls(): number {
    return this.#active.size;
  }

  /** A snapshot of the turn while it waits for its user. Of a stopped turn, what it waited with at the Stop. */
  get waiting(): TurnSnapshot | undefined {
    if (this.#stoppedWaiting !== undefined) return this.#stoppedWaiting;
    return this.events.openQuestions.length === 0 ? undefined : this.#snapshot();
  }

  callIs(callId: string, state: Parameters<TurnScope['callIs']>[1]): void {
    if (state === 'entered') this.#active.add(callId);
    else this.#unsettled?.settle(callId);
    if (state === 'ended') this.#active.delete(callId);
    if (state === 'waiting') this.#parts.onQuestion(this);
  }

  putting(work: Promise<unknown>): void {
    const over = work.catch(() => undefined).finally(() => this.#putting.delete(over));
    this.#putting.add(over);
  }

  /** Resolves once no question is being stored any more; undefined when none is. */
  get put(): Promise<unknown> | undefined {
    return this.#putting.size === 0 ? undefined : joined([...this.#putting]);
  }

  settling(work: Promise<unknown>): void {
    this.#settling.push(work);
  }

  /** Resolves once everything is done that must hold before the end of the turn is told. */
  async settled(): Promise<void> {
    while (this.#settling.length > 0) await joined(this.#settling.splice(0));
  }

  keep(): void {
    if (!this.tape.isKept) {
      this.tape.keep(() => turnBeginning(this));
      this.#tapeSteps();
    }
    this.#keepers += 1;
  }

  unkeep(): void {
    this.#keepers -= 1;
    if (this.#keepers > 0 || !this.tape.drop()) return;
    this.events.shown.free();
    if (!this.mayBegin) this.#abortNow();
  }

  canReplay(afterSeq: number): boolean {
    return this.events.log.reaches(afterSeq);
  }

  subscribe(listener: TurnListener, afterSeq: number): TurnSubscription | undefined {
    const missed = this.events.after(afterSeq);
    if (missed === undefined) return undefined;
    clearTimeout(this.#graceTimer);
    this.flow.setPaused(false);
    this.events.shown.setListener(listener, afterSeq);
    for (const event of this.events.openQuestions) if (event.seq <= afterSeq) listener.onEvent(event);
    for (const event of [...missed, ...this.events.untold]) listener.onEvent(event);
    if (!this.running) this.events.shown.setListener(undefined, 0);
    return {
      setPaused: (paused) => {
        if (this.events.shown.listener === listener) this.flow.setPaused(paused);
      },
      close: () => {
        this.#leave(listener);
      },
    };
  }

  async stop(reason: StopReason): Promise<boolean> {
    if (!this.running || this.#suspended || this.signal.aborted) return false;
    if (this.record.has('end')) {
      // An end that is not stored would be lost in a crash, so it is stored before `stop` says that the turn is over.
      await this.tape.attempt().catch((error: unknown) => {
        const text = 'The turn has ended, and its end cannot be stored. Stop it again once storage is back.';
        throw new HelperError('storage_unavailable', text, { cause: error });
      });
      return false;
    }
    if (!this.record.has('stop')) this.#stoppedWaiting = this.waiting;
    this.record.put('stop', reason);
    if (!this.tape.isKept) {
      this.#abortNow();
      return true;
    }
    // The Stop is stored first. A crash must not undo a Stop that has already had an effect (wire-5-03).
    const stored = this.tape.attempt();
    void this.tape.flush().then(() => {
      this.#abortNow();
    });
    await stored.catch((error: unknown) => {
      const text = 'The Stop cannot be stored. It takes effect once storage is back.';
      throw new HelperError('storage_unavailable', text, { cause: error });
    });
    this.#abortNow();
    return true;
  }

  /** Ends a turn that this process has taken up and must not continue. Open calls and questions are closed, and no model is asked. */
  interrupt(): void {
    this.record.put('stop', 'interrupted');
  }

  /** Leaves the turn to the next process (contract/restarts.md#open-questions). Its stream closes without an end, and nothing stops it here. */
  async suspend(): Promise<void> {
    this.#suspended = true;
    clearTimeout(this.#graceTimer);
    this.events.suspend();
    await this.tape.suspend();
    this.events.shown.setListener(undefined, 0);
  }

  /** Lets nobody here wait any longer for a suspended turn whose process lives on. How the turn ends, another process tells. */
  abandon(): void {
    this.#resolve({ turnId: this.id, status: 'failed', text: '', code: 'interrupted' });
  }

  /** Must be called after the last event. Releases the reader and resolves `result`. Returns what is kept of the turn. */
  finish(result: TurnResult): EndedTurn {
    clearTimeout(this.#graceTimer);
    this.#unsettled?.settleAll();
    this.events.end();
    this.#resolve(result);
    return new EndedTurn({
      id: this.id,
      conversationId: this.conversationId,
      principal: this.principal,
      channel: this.channel,
      owner: this.owner,
      log: this.events.log.sealed(),
      sources: this.sources,
    });
  }

  /** Connects the record to the tape, in kept turns alone: else what Node still holds of an ended turn holds the whole turn (measured). */
  #tapeSteps(): void {
    this.record.onPut = (key, value) => {
      this.tape.write(['step', key, value]);
    };
    this.tape.onLost = () => {
      this.#parts.onLost(this);
    };
  }

  #abortNow(): void {
    this.#abort.abort(new TurnStopped(this.stopReason ?? 'user'));
  }

  #snapshot(): TurnSnapshot {
    // `stop` belongs to this turn only. `remembered` is left out too: a restored conversation asks the user again.
    const steps = [...this.record.entries()].filter(([key]) => key !== 'stop');
    const told = [...this.events.toldKeys].filter((key) => key.startsWith('coordinator/'));
    const { history, askedAt } = this.options;
    return { turnId: this.id, replaces: this.request.replaces, history, askedAt, steps, told };
  }

  #leave(listener: TurnListener): void {
    if (this.events.shown.listener !== listener) return;
    this.events.shown.setListener(undefined, 0);
    this.flow.setPaused(false);
    if (!this.running || this.#suspended || this.request.detached !== undefined) return;
    const { disconnectGraceMs } = this.#parts;
    const stopUnread = (): void => {
      if (this.events.shown.listener === undefined) stopQuietly(this, 'grace-over');
    };
    if (disconnectGraceMs === 0) stopUnread();
    else this.#graceTimer = setTimeout(stopUnread, disconnectGraceMs);
  }
}
