/** What a fact is about: who the user is, how the user likes things, or anything else (contract/memory.md#facts). */
export type FactKind = 'identity' | 'preference' | 'fact';

/** One sentence that is remembered about a user. */
export interface Fact {
  readonly id: string;
  readonly kind: FactKind;
  /** At most `maxFactLength` characters. */
  readonly text: string;
  /** The same for every spelling of the same sentence. */
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
  /** Facts that others take the place of. */
  readonly replace: readonly { readonly id: string; readonly by: Fact }[];
  /** Ids. */
  readonly remove: readonly string[];
}

/** What a user said in a turn, for as long as nobody has looked for facts in it. */
export interface PendingCapture {
  readonly turnId: string;
  readonly conversationId: string;
  readonly userKey: string;
  readonly words: string;
  /** When it was said, in epoch milliseconds. */
  readonly askedAt: number;
}

/**
 * What is remembered about users, each under the user key, which holds the tenant (contract/memory.md#storage). A change MUST be
 * durable, whole or not at all, before its method resolves. Rejects when the store failed: the change may then have been made or not.
 */
export interface MemoryStore {
  /** The facts that count now, the newest first. */
  facts(userKey: string): Promise<readonly Fact[]>;
  /** Makes the change and settles the capture that it comes from. False, without any change, when that capture is not pending any more. */
  change(userKey: string, change: FactChange, turnId: string): Promise<boolean>;
  /**
   * Puts other words into a fact of this user. What the user has said before `at` changes nothing any more. False when there is no such
   * fact.
   */
  correct(userKey: string, fact: Pick<Fact, 'id' | 'text' | 'hash'>, at: number): Promise<boolean>;
  /**
   * Erases a fact of this user with everything it took the place of; without an `id`, all facts. What the user has said before `at`
   * brings nothing back. Resolves with how many facts that counted are gone.
   */
  erase(userKey: string, id: string | undefined, at: number): Promise<number>;
  /** Deletes every trace of a user who is erased, also that there was one. No turn of the user runs any more. */
  forget(userKey: string): Promise<void>;
  /** Keeps what a user has said. False when it was kept before, or when the user has erased or corrected something since. */
  pend(capture: PendingCapture): Promise<boolean>;
  isPending(turnId: string): Promise<boolean>;
  /** All captures that nobody has settled, the oldest first. */
  pending(): Promise<readonly PendingCapture[]>;
  /** Settles a capture without a change. */
  drop(turnId: string): Promise<void>;
  /** Deletes facts from before `before.facts`, and what is left of captures from before `before.captures`. Resolves with how many facts. */
  purge(before: { readonly facts: number; readonly captures: number }): Promise<number>;
}
