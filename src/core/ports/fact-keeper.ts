import type { Fact } from './memory-store.ts';

/** A fact as code of a plugin keeps it. */
export type KeptFact = Omit<Fact, 'hash'>;

/** Where a plugin keeps facts (contract/memory.md#storage). Each call may take `timeoutMs`. */
export interface FactKeeper {
  /** The plugin's. */
  readonly name: string;
  readonly timeoutMs: number;
  /** All facts of a user, in any order; what is no fact is left out. */
  list(userKey: string, signal: AbortSignal): Promise<readonly KeptFact[]>;
  /** Keeps a fact; one with the same id is replaced. */
  save(userKey: string, fact: KeptFact, signal: AbortSignal): Promise<void>;
  /** Forgets a fact, or everything of the user. What is not there is no fault. */
  remove(userKey: string, id: string | undefined, signal: AbortSignal): Promise<void>;
}
