import { atMost } from '../../base/at-most.ts';
import { joined } from '../../base/joined.ts';
import type { SharedTurns } from '../../ports/turn-store.ts';
import type { LiveTurn } from '../live/live-turn.ts';
import type { RunningTurns } from '../running-turns.ts';
import type { TurnServices } from '../live/turn-services.ts';
import { MovingTurns } from './moving-turns.ts';

/** Milliseconds that turns may take to end once they are stopped. */
const lastEndsMs = 2_000;

/** Milliseconds between two looks at whether a turn can be handed over. */
const lookEveryMs = 20;

/** A turn that other replicas may go on with. */
export interface ReleasedTurn {
  readonly turnId: string;
  /** Whether somebody reads the turn here, or may come back to it. */
  readonly isRead: boolean;
}

/** Suspends turns when this process ends: the next one takes them up (contract/restarts.md#stopping). */
export class Drain {
  readonly #services: TurnServices;
  readonly #turns: RunningTurns;
  readonly #onReleased: (turn: ReleasedTurn) => Promise<void>;
  readonly #suspended = new Set<string>();
  readonly #suspending: Promise<void>[] = [];
  /** Called when a turn that is waited for is suspended. */
  readonly #onSuspended = new Map<string, () => void>();
  #isDraining = false;
  #handsOver = false;

  /** `onReleased`: called when other replicas may go on with a turn. */
  constructor(
    services: TurnServices,
    turns: RunningTurns,
    onReleased: (turn: ReleasedTurn) => Promise<void> = () => Promise.resolve(),
  ) {
    this.#services = services;
    this.#turns = turns;
    this.#onReleased = onReleased;
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Whether other replicas take the turns of this process over. */
  get handsOver(): boolean {
    return this.#handsOver;
  }

  /** The turn waits for the next process: in this process nothing answers or stops it. */
  hasSuspended(turnId: string): boolean {
    return this.#suspended.has(turnId);
  }

  /** Waits for the running turns; suspends those that wait for their user, and ends what else still runs after `graceMs`. */
  async run(graceMs: number): Promise<void> {
    this.#isDraining = true;
    const handedOver = new AbortController();
    void this.#handOver(graceMs, handedOver.signal);
    const { promise: graceOver, resolve: endGrace } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => {
      for (const turn of this.#turns.running()) this.#endNow(turn);
      endGrace(undefined);
    }, graceMs);
    const ended = (): Promise<unknown> => Promise.all(this.#turns.running().map((turn) => this.#gone(turn)));
    const lastEnds = async (): Promise<void> => {
      await graceOver;
      await atMost(lastEndsMs, ended());
      // A question that is being stored is told or withdrawn first. It waits for the store no longer than its own limit.
      await joined(this.#turns.running().flatMap(({ put }) => put ?? []));
      // The store does not take the end of these turns, so the next process tells it.
      for (const turn of this.#turns.running()) if (turn.running) this.#suspend(turn);
    };
    await Promise.race([ended(), lastEnds()]);
    handedOver.abort();
    clearTimeout(timer);
    await Promise.all(this.#suspending);
  }

  /** A turn that does nothing but wait for its user goes on after the restart: there is no use in waiting for it here. */
  suspendWaiting(turn: LiveTurn): void {
    const open = this.#openQuestions(turn);
    if (this.#isDraining && this.#outlives(turn) && open > 0 && open === turn.activeCalls) this.#suspend(turn);
  }

  /**
   * Hands the turns that are kept from their beginning over to the other replicas, some at a time, each as soon as it is ready. Where there are
   * no others, those that wait for their user wait for the next process.
   */
  async #handOver(graceMs: number, signal: AbortSignal): Promise<void> {
    const { tape, calls } = this.#services;
    const { shared } = tape.store;
    const suspendAll = (): void => {
      for (const turn of this.#turns.running()) this.suspendWaiting(turn);
    };
    if (shared === undefined) {
      suspendAll();
      return;
    }
    this.#handsOver = (await this.#others(shared)).length > 0;
    if (!this.#handsOver || tape.policy !== 'always') {
      suspendAll();
      return;
    }
    for (const turn of this.#turns.running()) {
      // Nobody takes it over, so nothing is gained by a wait.
      if (turn.request.channel.endsWithRequest === true) this.suspendWaiting(turn);
    }
    const count = this.#turns.running().length;
    const moving = new MovingTurns(shared, { count, withinMs: graceMs / 2, elapsed: () => calls.clock.elapsed() });
    while (!signal.aborted) {
      let room = await moving.room();
      for (const turn of room > 0 ? this.#turns.running() : []) {
        if (room === 0) break;
        if (!this.#isReady(turn)) continue;
        if (turn.tape.held !== undefined) moving.add(turn.tape.held);
        this.#suspend(turn);
        room -= 1;
      }
      await atMost(lookEveryMs, new Promise(() => undefined));
    }
  }

  async #others(shared: SharedTurns): Promise<readonly string[]> {
    return shared.others().catch((error: unknown) => {
      this.#services.calls.log.warn({ error }, 'no turn is handed over: the other replicas are unknown');
      return [];
    });
  }

  /**
   * Whether a turn can be handed over now. Nobody else goes on with an open question of Blocking mode, so such a turn stays for its grace
   * (contract/replicas.md#turns).
   */
  #isReady(turn: LiveTurn): boolean {
    const open = this.#openQuestions(turn);
    const mayLeave = open === 0 || this.#services.hitlMode === 'Native';
    return mayLeave && open === turn.activeCalls && turn.mayBegin && this.#goesOn(turn);
  }

  /** Lets go of a turn that another process has taken up, as this one could not know. */
  lost(turn: LiveTurn): void {
    if (turn.suspended) return;
    this.#suspend(turn, { isLost: true });
    turn.abandon();
  }

  /** A turn that had left this process has come back, and is one of its own again. */
  cameBack(turnId: string): void {
    this.#suspended.delete(turnId);
  }

  /** Resolves once a turn has ended, or is suspended. */
  #gone(turn: LiveTurn): Promise<unknown> {
    const suspended = Promise.withResolvers<undefined>();
    this.#onSuspended.set(turn.id, () => {
      suspended.resolve(undefined);
    });
    return Promise.race([turn.result, suspended.promise]);
  }

  #endNow(turn: LiveTurn): void {
    // The next process puts only what was told, so a question that is being stored is told before its turn leaves.
    if (turn.put !== undefined) {
      void turn.put.then(() => {
        if (turn.running) this.#endNow(turn);
      });
      return;
    }
    const asks = this.#services.calls.openConfirmations.openWith(turn.signal).length > 0;
    const isWaiting = this.#outlives(turn) && asks;
    if (isWaiting || (this.#goesOn(turn) && !asks)) this.#suspend(turn);
    else turn.stop('draining').catch(() => this.#suspend(turn));
  }

  /** Another process goes on with the turn, and somebody can read it there. */
  #goesOn({ tape, request }: LiveTurn): boolean {
    return tape.isKept && this.#services.tape.policy === 'always' && request.channel.endsWithRequest !== true;
  }

  #outlives({ mayBegin }: LiveTurn): boolean {
    return mayBegin && this.#services.hitlMode === 'Native';
  }

  async #release(turn: LiveTurn, isRead: boolean): Promise<void> {
    const { tape, calls } = this.#services;
    if (tape.store.shared === undefined || !turn.tape.isKept) return;
    try {
      await tape.store.shared.release(turn.id);
      await this.#onReleased({ turnId: turn.id, isRead });
    } catch (error) {
      calls.log.warn({ error, turnId: turn.id }, 'a turn is free for other replicas only when this one has ended');
    }
  }

  /** A question that was answered is not open: its action runs, and is waited for like any other action. */
  #openQuestions({ openConfirmations }: LiveTurn): number {
    return openConfirmations.filter(({ json }) => this.#services.calls.openConfirmations.isOpen(actionIdOf(json)))
      .length;
  }

  #suspend(turn: LiveTurn, { isLost = false } = {}): void {
    if (turn.suspended) return;
    const { log, openConfirmations } = this.#services.calls;
    if (isLost) log.warn({ turnId: turn.id }, 'another process has taken up a turn that ran here');
    else if (turn.tape.isKept) log.info({ turnId: turn.id }, 'a turn is suspended: the next process takes it up');
    else log.warn({ turnId: turn.id }, 'a turn did not end in time: it is cut off');
    for (const actionId of openConfirmations.openWith(turn.signal)) {
      // A lost turn goes on elsewhere at this moment, or is over there: whoever asks here must not wait for another process.
      if (isLost) openConfirmations.withdraw(actionId);
      else openConfirmations.suspend(actionId);
    }
    if (!isLost) this.#suspended.add(turn.id);
    this.#turns.forget(turn);
    const isRead = hasReader(turn);
    this.#suspending.push(turn.suspend().then(() => (isLost ? undefined : this.#release(turn, isRead))));
    this.#onSuspended.get(turn.id)?.();
  }
}

/** A turn without a reader has lost it a moment ago, but for one that was asked without waiting. */
function hasReader({ events, request }: LiveTurn): boolean {
  const { listener } = events.shown;
  return listener === undefined ? request.detached === undefined : listener.isRead !== false;
}

function actionIdOf(json: string): string {
  return (JSON.parse(json) as { readonly actionId: string }).actionId; // written by this server
}
