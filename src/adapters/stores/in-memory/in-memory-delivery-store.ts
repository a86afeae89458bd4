import type { DeliveryStore, PendingDelivery, TurnDelivery } from '../../../core/ports/delivery-store.ts';

/** Deliveries that wait, for `storage.type: memory`. They end with the process. */
export class InMemoryDeliveryStore implements DeliveryStore {
  readonly #waiting = new Map<string, PendingDelivery>();

  /** Adds a delivery. Adding it again is no fault. */
  add(turnId: string, delivery: TurnDelivery): void {
    if (!this.#waiting.has(turnId)) this.#waiting.set(turnId, { turnId, ...delivery, attempts: 0 });
  }

  due(...[now, limit, { hosts, turns }]: Parameters<DeliveryStore['due']>): Promise<readonly PendingDelivery[]> {
    const due = [...this.#waiting.values()].filter(
      ({ dueAt, host, turnId }) => dueAt <= now && !hosts.includes(host) && !turns.includes(turnId),
    );
    const first = due.toSorted((one, other) => one.dueAt - other.dueAt || (one.turnId < other.turnId ? -1 : 1));
    return Promise.resolve(first.slice(0, limit));
  }

  next(now: number): Promise<number | undefined> {
    const moments = [...this.#waiting.values()].map(({ dueAt }) => dueAt).filter((dueAt) => dueAt > now);
    return Promise.resolve(moments.length === 0 ? undefined : Math.min(...moments));
  }

  postpone(turnId: string, dueAt: number): Promise<void> {
    const known = this.#waiting.get(turnId);
    if (known !== undefined) this.#waiting.set(turnId, { ...known, dueAt, attempts: known.attempts + 1 });
    return Promise.resolve();
  }

  settle(turnId: string): Promise<void> {
    this.#waiting.delete(turnId);
    return Promise.resolve();
  }

  erase(userKey: string): Promise<void> {
    for (const [turnId, { owner }] of this.#waiting) if (owner === userKey) this.#waiting.delete(turnId);
    return Promise.resolve();
  }
}
