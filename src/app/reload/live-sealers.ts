import type { SnapshotKey } from '../../adapters/snapshots/snapshot-key.ts';
import type { RecordSealer } from '../../core/ports/record-sealer.ts';
import type { SnapshotSealer } from '../../core/ports/snapshot-sealer.ts';

/** At least one key; the first one seals, all of them open. */
export type DataKeys = readonly [SnapshotKey, ...(readonly SnapshotKey[])];

/** What makes stored turns and snapshots unreadable for others, with one list of keys. */
export interface Sealers {
  readonly records: RecordSealer;
  readonly snapshots: SnapshotSealer;
  /** What stands for a user key where only its owner may find it again, that of the sealing key first. */
  readonly marks: (userKey: string) => readonly [string, ...(readonly string[])];
}

/** Seals and opens with the keys of now, which a reload replaces (contract/operations.md#secrets). */
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

  constructor(first: DataKeys, make: (keys: DataKeys) => Sealers) {
    this.#make = make;
    this.#keys = first;
    this.#current = make(first);
  }

  /** From now on the first of these keys seals, and all of them open. False when what was sealed until now stays closed. */
  replace(keys: DataKeys): boolean {
    const [sealing] = this.#keys;
    this.#keys = keys;
    this.#current = this.#make(keys);
    return keys.some(({ id }) => id === sealing.id);
  }
}
