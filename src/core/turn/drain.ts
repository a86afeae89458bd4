import { atMost } from '../base/at-most.ts';
import type { LiveTurn } from './live-turn.ts';
import type { RunningTurns } from './running-turns.ts';
import type { TurnServices } from './turn-services.ts';

/** Milliseconds that turns may take to end once they are stopped. */
const lastEndsMs = 2_000;

/** Leaves turns to the next process when this one ends (wire.md 5 and 10). */
export class Drain {
  readonly #services: TurnServices;
  readonly #turns: RunningTurns;
  readonly #left = new Set<string>();
  readonly #leaving: Promise<void>[] = [];
  /** Called when a turn that is waited for is left. */
  readonly #onLeft = new Map<string, () => void>();
  #isDraining = false;

  constructor(services: TurnServices, turns: RunningTurns) {
    this.#services = services;
    this.#turns = turns;
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** The turn waits for the next process: here nothing answers or stops it any more. */
  hasLeft(turnId: string): boolean {
    return this.#left.has(turnId);
  }

  /** Waits for the running turns; leaves those that wait for their user, and ends what else is left after `graceMs`. */
  async run(graceMs: number): Promise<void> {
    this.#isDraining = true;
    for (const turn of this.#turns.running()) this.leaveWaiting(turn);
    const { promise: graceOver, resolve: endGrace } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => {
      for (const turn of this.#turns.running()) this.#endNow(turn);
      endGrace(undefined);
    }, graceMs);
    const ended = (): Promise<unknown> => Promise.all(this.#turns.running().map((turn) => this.#gone(turn)));
    const lastEnds = async (): Promise<void> => {
      await graceOver;
      await atMost(lastEndsMs, ended());
      // The store does not take their end: the next process tells it.
      for (const turn of this.#turns.running()) if (turn.running) this.#leave(turn);
    };
    await Promise.race([ended(), lastEnds()]);
    clearTimeout(timer);
    await Promise.all(this.#leaving);
  }

  /** A turn that does nothing but wait for its user goes on after the restart: there is no use in waiting for it here. */
  leaveWaiting(turn: LiveTurn): void {
    const open = this.#openQuestions(turn);
    if (this.#isDraining && this.#outlives(turn) && open > 0 && open === turn.activeCalls) this.#leave(turn);
  }

  /** Resolves once a turn has ended, or is left to the next process. */
  #gone(turn: LiveTurn): Promise<unknown> {
    const left = Promise.withResolvers<undefined>();
    this.#onLeft.set(turn.id, () => {
      left.resolve(undefined);
    });
    return Promise.race([turn.result, left.promise]);
  }

  #endNow(turn: LiveTurn): void {
    const asks = this.#services.calls.openConfirmations.openWith(turn.signal).length > 0;
    const isWaiting = this.#outlives(turn) && asks;
    const isDurable = turn.tape.isKept && this.#services.tape.policy === 'always' && !asks;
    if (isWaiting || isDurable) this.#leave(turn);
    else turn.stop('draining').catch(() => this.#leave(turn));
  }

  #outlives({ mayBegin }: LiveTurn): boolean {
    return mayBegin && this.#services.hitlMode === 'Native';
  }

  /** An answered question is none: its action runs, and is waited for like any other. */
  #openQuestions({ openConfirmations }: LiveTurn): number {
    return openConfirmations.filter(({ json }) => this.#services.calls.openConfirmations.isOpen(actionIdOf(json)))
      .length;
  }

  #leave(turn: LiveTurn): void {
    if (this.#left.has(turn.id)) return;
    const { log, openConfirmations } = this.#services.calls;
    log.info({ turnId: turn.id }, 'a turn is left to the next process');
    for (const actionId of openConfirmations.openWith(turn.signal)) openConfirmations.leave(actionId);
    this.#left.add(turn.id);
    this.#turns.forget(turn);
    this.#leaving.push(turn.suspend());
    this.#onLeft.get(turn.id)?.();
  }
}

function actionIdOf(json: string): string {
  return (JSON.parse(json) as { readonly actionId: string }).actionId; // written by this server
}
