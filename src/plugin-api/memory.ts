/** One sentence that is remembered about a user (contract/memory.md#facts). */
export interface RememberedFact {
  readonly id: string;
  readonly kind: 'identity' | 'preference' | 'fact';
  /** At most 300 characters. */
  readonly text: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** The turn and the conversation in which the user said it. */
  readonly turnId: string;
  readonly conversationId: string;
}

/**
 * Keeps what is remembered about users (contract/memory.md#storage): `providers.memoryStore`. `userKey` identifies one user and includes
 * the tenant. Data of one key must never be returned for another key. Each function has 3 seconds. An error is logged, and the user's turn
 * goes on.
 */
export interface MemoryStore {
  /** All facts of a user, in any order. */
  list(userKey: string, context: MemoryContext): readonly RememberedFact[] | Promise<readonly RememberedFact[]>;
  /** Keeps a fact. It replaces a fact with the same id. */
  save(userKey: string, fact: RememberedFact, context: MemoryContext): void | Promise<void>;
  /** Forgets a fact; with null, all facts of the user. It is no fault when there is none. */
  remove(userKey: string, id: string | null, context: MemoryContext): void | Promise<void>;
}

/** The context of each call of a memory store. */
export interface MemoryContext {
  /** Aborts when the call takes too long. */
  readonly signal: AbortSignal;
}
