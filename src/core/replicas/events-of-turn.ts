import { HelperError } from '../errors/helper-error.ts';
import type { RecordedEvent } from '../events/turn-event.ts';
import type { TurnListener } from '../record/turn-listener.ts';
import { LiveTurn } from '../turn/live/live-turn.ts';
import type { RemoteReader } from '../turn/live/remote-turn.ts';
import type { Turn, TurnSubscription } from '../turn/live/turn.ts';

/** Characters of events that wait for a slow reader before the model is held back. */
const mostWaiting = 256 * 1024;

/** Characters of events that go in one message to another replica, whose messages have 1 MiB at most. */
const mostInBatch = 128 * 1024;

/** Sent in place of events when another reader has taken the turn over. */
export const takenOverMessage = 'taken-over';

/** Whether a turn of this process that tells its reader nothing more goes on for another reader. */
export function isTakenOver(turn: Turn): boolean {
  return turn.running && !turn.suspended;
}

/**
 * Reads a turn of this process. What has come meanwhile is given together. Ends after the last event, and also when the turn leaves this
 * process or another reader takes it over. A reader that comes back by itself (`isAgain`) takes the turn from nobody.
 * @throws HelperError `not_found` when some of the events after `afterSeq` are gone.
 */
export async function* eventsOfTurn(
  turn: Turn,
  afterSeq: number,
  { signal, page, isAgain = false }: RemoteReader & { readonly isAgain?: boolean },
): AsyncGenerator<readonly RecordedEvent[], void> {
  if (isAgain && turn instanceof LiveTurn && turn.events.shown.listener !== undefined) return;
  const waiting = new WaitingEvents(page);
  const subscription = turn.subscribe(waiting, afterSeq);
  if (subscription === undefined) throw new HelperError('not_found', 'Some events of this turn are gone.');
  waiting.subscription = subscription;
  const onAbort = (): void => {
    waiting.onEnd();
  };
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    for (let batch = await waiting.next(); batch !== undefined; batch = await waiting.next()) yield batch;
  } finally {
    signal.removeEventListener('abort', onAbort);
    subscription.close();
  }
}

class WaitingEvents implements TurnListener {
  readonly uiActions?: NonNullable<TurnListener['uiActions']>;
  subscription: TurnSubscription | undefined;
  #events: RecordedEvent[] = [];
  #length = 0;
  #isOver = false;
  #news = Promise.withResolvers<undefined>();

  constructor(page: TurnListener['uiActions']) {
    if (page !== undefined) this.uiActions = page;
  }

  onEvent(event: RecordedEvent): void {
    this.#events.push(event);
    this.#length += event.json.length;
    if (this.#length > mostWaiting) this.subscription?.setPaused(true);
    this.#news.resolve(undefined);
  }

  onEnd(): void {
    this.#isOver = true;
    this.#news.resolve(undefined);
  }

  /** The events that have come since the last call, at least one. Undefined after the last one. */
  async next(): Promise<readonly RecordedEvent[] | undefined> {
    while (this.#events.length === 0) {
      if (this.#isOver) return undefined;
      await this.#news.promise;
      this.#news = Promise.withResolvers();
    }
    let taken = 0;
    let length = 0;
    for (const { json } of this.#events) {
      length += json.length;
      if (taken > 0 && length > mostInBatch) break;
      taken += 1;
    }
    const batch = this.#events.splice(0, taken);
    this.#length -= batch.reduce((sum, { json }) => sum + json.length, 0);
    if (this.#length <= mostWaiting / 2) this.subscription?.setPaused(false);
    return batch;
  }
}
