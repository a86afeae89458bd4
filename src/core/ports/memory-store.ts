/** What a fact is about: who the user is, how the user likes things, or anything else (contract/memory.md#facts). */
export type FactKind = 'identity' | 'preference' | 'fact';

/** One sentence that is remembered about a user. */
export interface Fact {
  readonly id: string;
  readonly kind: FactKind;
  /** At most `maxFactLength` characters. */
  readonly text: string;
  /** The hash is the same for every spelling of the same sentence. */
  readonly hash: string;
  /** The turn whose message said it. */
  readonly turnId: string;
  readonly conversationId: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** What one message changes in the memory of its user. */
export interface FactChange {
  readonly add: readonly Fact[];
  /** Facts that are replaced, each with the fact that replaces it. */
  readonly replace: readonly { readonly id: string; readonly by: Fact }[];
  /** The ids of the facts to remove. */
  readonly remove: readonly string[];
}

/** What a user said in a turn, as long as nobody has searched it for facts. */
export interface PendingCapture {
  readonly turnId: string;
  readonly conversationId: string;
  readonly userKey: string;
  readonly words: string;
  /** When it was said, in epoch milliseconds. */
  readonly askedAt: number;
}

/** What replicas need beside, where several of them use one store at the same time (contract/replicas.md#left-behind). */
export interface SharedCaptures {
  /** Makes this replica the one that settles a pending capture. False when it is settled, and when another living replica settles it. */
  claim(turnId: string): Promise<boolean>;
}

/**
 * What is remembered about users. Each user is stored under the user key, which contains the tenant (contract/memory.md#storage). A change
 * MUST be durable, whole or not at all, before its method resolves. A method rejects when the store failed: the change may or may not have
 * been made.
 */
export interface MemoryStore {
  /** Left out where one process at a time uses the store. Where it is there, `pend` makes this replica the one that settles the capture. */
  readonly captures?: SharedCaptures | undefined;
  /** The facts that count now, the newest first. */
  facts(userKey: string): Promise<readonly Fact[]>;
  /**
   * Makes the change, and settles the capture that the change comes from. Resolves with false, without any change, when that capture is not
   * pending any more.
   */
  change(userKey: string, change: FactChange, turnId: string): Promise<boolean>;
  /**
   * Replaces the text of a fact of this user. What the user has said before `at` can then change nothing any more. Resolves with false when
   * there is no such fact.
   */
  correct(userKey: string, fact: Pick<Fact, 'id' | 'text' | 'hash'>, at: number): Promise<boolean>;
  /**
   * Erases a fact of this user, and every fact that it replaced. Without an `id`, erases all facts. What the user has said before `at`
   * cannot bring a fact back. Resolves with the number of erased facts that still counted.
   */
  erase(userKey: string, id: string | undefined, at: number): Promise<number>;
  /**
   * Deletes every trace of a user who is erased, including the trace that there was such a user. No turn of the user runs any more when
   * this is called.
   */
  forget(userKey: string): Promise<void>;
  /** Keeps what a user has said. Resolves with false when it was kept before, or when the user has erased or corrected something since. */
  pend(capture: PendingCapture): Promise<boolean>;
  isPending(turnId: string): Promise<boolean>;
  /** All captures that nobody has settled and that no living replica settles, the oldest first. */
  pending(): Promise<readonly PendingCapture[]>;
  /** Settles a capture without a change. */
  drop(turnId: string): Promise<void>;
  /**
   * Deletes facts from before `before.facts`, and the rest of captures from before `before.captures`. Resolves with the number of deleted
   * facts.
   */
  purge(before: { readonly facts: number; readonly captures: number }): Promise<number>;
}
