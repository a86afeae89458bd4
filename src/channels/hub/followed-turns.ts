import type { RecordedEvent } from '../../core/events/turn-event.ts';
import type { Turn, TurnSubscription } from '../../core/turn/live/turn.ts';
import type { UiActions } from '../../core/request/ui-actions.ts';

/** The turns whose events go to one hub connection. */
export class FollowedTurns {
  readonly #uiActions: UiActions;
  readonly #onLost: () => void;
  readonly #subscriptions = new Map<TurnSubscription, Turn>();
  #left = false;

  /** `onLost`: called when a turn that has not ended tells nothing more here, because it has left this server. */
  constructor(uiActions: UiActions, onLost: () => void) {
    this.#uiActions = uiActions;
    this.#onLost = onLost;
  }

  /** Whether the connection has ended. */
  get left(): boolean {
    return this.#left;
  }

  /**
   * Delivers a turn's events after `afterSeq`. False when some of those events are gone, or when the connection is
   * gone.
   */
  follow(turn: Turn, afterSeq: number, onEvent: (event: RecordedEvent) => void): boolean {
    if (this.#left) return false;
    const followed: { subscription?: TurnSubscription; over: boolean } = { over: false };
    const onEnd = (): void => {
      followed.over = true;
      if (followed.subscription !== undefined) this.#subscriptions.delete(followed.subscription);
      if (turn.suspended && !this.#left) this.#onLost();
    };
    const subscription = turn.subscribe({ onEvent, onEnd, uiActions: this.#uiActions }, afterSeq);
    if (subscription === undefined) return false;
    // An ended turn has called `onEnd` by now.
    followed.subscription = subscription;
    if (!followed.over) this.#subscriptions.set(subscription, turn);
    return true;
  }

  /**
   * Called when the connection has ended. Leaves every turn and returns the turns. For running turns the grace period starts
   * (contract/hub.md#when-the-line-breaks).
   */
  leave(): readonly Turn[] {
    this.#left = true;
    const turns = [...this.#subscriptions.values()];
    for (const subscription of this.#subscriptions.keys()) subscription.close();
    this.#subscriptions.clear();
    return turns;
  }
}
