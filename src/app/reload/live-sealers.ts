import type { SnapshotKey } from '../../adapters/snapshots/snapshot-key.ts';
import type { RecordSealer } from '../../core/ports/record-sealer.ts';
import type { SnapshotSealer } from '../../core/ports/snapshot-sealer.ts';

/** At least one key; the first one seals, all of them open. */
export type DataKeys = readonly [SnapshotKey, ...(readonly SnapshotKey[])];

/** The sealers that make stored turns and snapshots unreadable for others, all with one list of keys. */
export interface Sealers {
  readonly records: RecordSealer;
  readonly snapshots: SnapshotSealer;
  /**
   * The marks that stand for a user key in the store: only a server with the same keys can compute them. The mark of the sealing key comes
   * first.
   */
  readonly marks: (userKey: string) => readonly [string, ...(readonly string[])];
}

/** Seals and opens with the present keys, which a reload replaces (contract/operations.md#secrets). */
export class LiveSealers implements Sealers {
  readonly records: RecordSealer = {
    seal: (text, turnId) => this.#current.records.seal(text, turnId),
    open: (sealed, turnId) => this.#current.records.open(sealed, turnId),
  };
  readonly snapshots: SnapshotSealer = {
    seal: (content, owner) => this.#current.snapshots.seal(content, owner),
    open: (sealed, owner, sealedAfter) => this.#current.snapshots.open(sealed, owner, sealedAfter),
  };
  readonly marks: Sealers['marks'] = (userKey) => this.#current.marks(userKey);
  readonly #make: (keys: DataKeys) => Sealers;
  #keys: DataKeys;
  #current: Sealers;
  readonly #listeners: ((keys: DataKeys) => void)[] = [];

  constructor(first: DataKeys, make: (keys: DataKeys) => Sealers) {
    this.#make = make;
    this.#keys = first;
    this.#current = make(first);
  }

  /** The present keys. */
  get keys(): DataKeys {
    return this.#keys;
  }

  /** Calls the listener with each list of keys that replaces another one. */
  onReplace(listener: (keys: DataKeys) => void): void {
    this.#listeners.push(listener);
  }

  /** From now on the first of these keys seals, and all of them open. False when data that is already sealed can no longer be opened. */
  replace(keys: DataKeys): boolean {
    const [sealing] = this.#keys;
    this.#keys = keys;
    this.#current = this.#make(keys);
    for (const listener of this.#listeners) listener(keys);
    return keys.some(({ id }) => id === sealing.id);
  }
}
