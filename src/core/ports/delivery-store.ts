/** What is told of the end of a turn, and to whom, until it is told (contract/sse.md#detached-turns). */
export interface TurnDelivery {
  /** The user key of the turn's caller. */
  readonly owner: string;
  /** The host that is told, with its port. */
  readonly host: string;
  /** Epoch milliseconds. */
  readonly dueAt: number;
  /** Opaque text that only the core understands, sealed before it gets here. */
  readonly content: string;
}

/** A delivery that waits. */
export interface PendingDelivery extends TurnDelivery {
  readonly turnId: string;
  /** How often it was tried. */
  readonly attempts: number;
}

/** What replicas need beside, where several of them use one store at the same time (contract/replicas.md#left-behind). */
export interface SharedDeliveries {
  /**
   * Takes a delivery for one attempt of this replica. False when another living replica makes an attempt, or has made one since the delivery
   * was read.
   */
  claim(delivery: Pick<PendingDelivery, 'turnId' | 'attempts'>): Promise<boolean>;
}

/**
 * Deliveries that wait. `TurnStore.end` adds them, in the change that ends their turn. Every method MUST have made its change durable before
 * it resolves.
 */
export interface DeliveryStore {
  /**
   * Left out where one process at a time uses the store. Where it is there, `due` leaves out what another living replica has claimed, and
   * `postpone` ends the claim of this replica.
   */
  readonly shared?: SharedDeliveries;
  /**
   * Those that are due at `now` (epoch milliseconds), at most `limit`, the first due first. Those to the hosts in `without`, and those of the
   * turns in `without`, are left out.
   */
  due(
    now: number,
    limit: number,
    without: { readonly hosts: readonly string[]; readonly turns: readonly string[] },
  ): Promise<readonly PendingDelivery[]>;
  /** When the next one is due that is not due at `now`, in epoch milliseconds. Undefined: none is. */
  next(now: number): Promise<number | undefined>;
  /** Counts an attempt. The next one is due at `dueAt`. Does nothing once another replica has claimed the delivery. */
  postpone(turnId: string, dueAt: number): Promise<void>;
  /** Deletes a delivery that was made or given up. */
  settle(turnId: string): Promise<void>;
  /** Deletes what waits for the turns of this user. */
  erase(userKey: string): Promise<void>;
}
