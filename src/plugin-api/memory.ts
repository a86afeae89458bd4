/** One sentence that is remembered about a user (contract/memory.md#facts). */
export interface RememberedFact {
  readonly id: string;
  readonly kind: 'identity' | 'preference' | 'fact';
  /** At most 300 characters. */
  readonly text: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** The turn and the conversation in which it was said. */
  readonly turnId: string;
  readonly conversationId: string;
}

/**
 * Keeps what is remembered about users (contract/memory.md#storage): `providers.memoryStore`. `userKey` tells one user from all others
 * and holds the tenant: nothing of one key may ever be given for another. Each function has 3 seconds; one that throws changes nothing
 * for the user's turn, and is logged.
 */
export interface MemoryStore {
  /** All facts of a user, in any order. */
  list(userKey: string, context: MemoryContext): readonly RememberedFact[] | Promise<readonly RememberedFact[]>;
  /** Keeps a fact. One with the same id is replaced. */
  save(userKey: string, fact: RememberedFact, context: MemoryContext): void | Promise<void>;
  /** Forgets a fact; with null everything of the user. What is not there is no fault. */
  remove(userKey: string, id: string | null, context: MemoryContext): void | Promise<void>;
}

/** What each call of a memory store is given. */
export interface MemoryContext {
  /** Aborts when the call takes too long. */
  readonly signal: AbortSignal;
}
