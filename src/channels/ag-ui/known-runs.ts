import { requireOwner } from '../../core/identity/owner-check.ts';
import type { Principal } from '../../core/identity/principal.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Turn } from '../../core/turn/live/turn.ts';
import { TurnRun, type TurnRunOptions } from './turn-run.ts';

/** How long the end of a turn that no client has read is held, in milliseconds. */
const unreadMs = 10 * 60_000;

/** How many are held. */
const mostUnread = 200;

/** The turns that run, and those whose end nobody has read yet (contract/ag-ui.md#runs). */
export class KnownRuns {
  readonly #clock: Pick<Clock, 'now'>;
  /** By the ids of their turns. */
  readonly #runs = new Map<string, TurnRun>();
  /** When the turns have ended, by their ids, the oldest first. */
  readonly #ended = new Map<string, number>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Begins to read a turn, unless it is read already. */
  read(turn: Turn, options: TurnRunOptions): TurnRun {
    this.#forget();
    const known = this.#runs.get(turn.id);
    if (known !== undefined) return known;
    const run = new TurnRun(turn, options);
    this.#runs.set(turn.id, run);
    void turn.result.then(() => this.#ended.set(turn.id, this.#clock.now()));
    return run;
  }

  /** The turns that wait for the client to run one of these calls. @throws HelperError where one is not the caller's. */
  waitingFor(callIds: ReadonlySet<string>, caller: Principal): readonly TurnRun[] {
    const meant = [...this.#runs.values()].filter(({ uiActions }) => uiActions.waiting.some((id) => callIds.has(id)));
    for (const { turn } of meant) requireOwner(turn.principal, caller);
    return meant;
  }

  /** The turn in which this question was asked. @throws HelperError where it is not the caller's. */
  thatAsked(actionId: string, caller: Principal): TurnRun | undefined {
    const run = [...this.#runs.values()].find((one) => one.hasAsked(actionId));
    if (run !== undefined) requireOwner(run.turn.principal, caller);
    return run;
  }

  #forget(): void {
    const since = this.#clock.now() - unreadMs;
    for (const [id, endedAt] of this.#ended) {
      const isUnread = this.#runs.get(id)?.isTold === false;
      if (isUnread && endedAt >= since && this.#ended.size <= mostUnread) continue;
      this.#ended.delete(id);
      this.#runs.delete(id);
    }
  }
}
