import type { ReplicaBus } from '../../core/ports/replica-bus.ts';

/** Milliseconds for which it counts that another replica has used the storage. Probes ask again before. */
const heardForMs = 30_000;

const kinds = { away: 'storage.away', here: 'storage.here' } as const;

/** How this replica and its storage are asked. */
export interface StorageOfOthersOptions {
  readonly bus: Pick<ReplicaBus, 'tell' | 'onTold' | 'ask' | 'answer'>;
  /** Whether this replica can store something now. MUST NOT reject. */
  readonly isWritable: () => Promise<boolean>;
  /** Milliseconds of a clock that is never set. */
  readonly now: () => number;
}

/** Whether other replicas can use the storage that this one has lost (contract/replicas.md#away). */
export class StorageOfOthers {
  readonly #options: StorageOfOthersOptions;
  #heardAt = -Infinity;

  /** From now on other replicas are told whether this one can use the storage. */
  constructor(options: StorageOfOthersOptions) {
    this.#options = options;
    const { bus, isWritable, now } = options;
    bus.onTold(kinds.away, (_body, replica) => {
      void isWritable().then((isHere) => {
        if (isHere) bus.ask({ replica, kind: kinds.here, body: null }).catch(() => undefined); // it asks again
      });
    });
    bus.answer(kinds.here, () => {
      this.#heardAt = now();
      return Promise.resolve(null);
    });
  }

  /** Asks the others, and gives what is known without waiting: whether one of them could use the storage a moment ago. */
  ask(): boolean {
    const { bus, now } = this.#options;
    bus.tell(kinds.away, null).catch(() => undefined); // nobody can be asked
    return now() - this.#heardAt < heardForMs;
  }

  /** This replica can use the storage again: what it has heard before does not count any more. */
  forget(): void {
    this.#heardAt = -Infinity;
  }
}
