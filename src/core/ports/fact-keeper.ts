import type { Fact } from './memory-store.ts';

/** A fact as code of a plugin keeps it. */
export type KeptFact = Omit<Fact, 'hash'>;

/** Where a plugin keeps facts (contract/memory.md#storage). Each call may take `timeoutMs`. */
export interface FactKeeper {
  /** The name of the plugin. */
  readonly name: string;
  readonly timeoutMs: number;
  /** All facts of a user, in any order. Entries that are not facts are left out. */
  list(userKey: string, signal: AbortSignal): Promise<readonly KeptFact[]>;
  /** Keeps a fact. A fact with the same id is replaced. */
  save(userKey: string, fact: KeptFact, signal: AbortSignal): Promise<void>;
  /** Forgets a fact, or all facts of the user when `id` is undefined. A fact that does not exist is not an error. */
  remove(userKey: string, id: string | undefined, signal: AbortSignal): Promise<void>;
}
