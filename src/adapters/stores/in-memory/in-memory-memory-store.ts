import type { Fact, FactChange, MemoryStore, PendingCapture } from '../../../core/ports/memory-store.ts';

/** The most captures that are kept. Settled captures are removed first. */
const mostCaptures = 10_000;

/** What is remembered of one user. */
interface UserFacts {
  /** The facts by their id, the oldest first. */
  readonly facts: Map<string, Fact>;
  /** What the user has said up to this time yields no facts any more. */
  erasedAt: number;
}

/**
 * What is remembered about users for as long as this process runs (contract/memory.md#storage). With `maxUsers`, the users who have been
 * away longest are forgotten first. A fact that another one has replaced is not kept.
 */
export class InMemoryMemoryStore implements MemoryStore {
  /** The user whose entry changed last stands last. */
  readonly #users = new Map<string, UserFacts>();
  /**
   * The captures of this process, by the id of their turn. A settled capture stays for a while without its words, as null, so that no turn
   * is looked through twice.
   */
  readonly #captures = new Map<string, PendingCapture | null>();
  readonly #maxUsers: number;

  constructor(maxUsers = Infinity) {
    this.#maxUsers = maxUsers;
  }

  facts(userKey: string): Promise<readonly Fact[]> {
    const facts = [...(this.#users.get(userKey)?.facts.values() ?? [])];
    return Promise.resolve(facts.toReversed().toSorted((one, other) => other.at - one.at));
  }

  change(userKey: string, { add, replace, remove }: FactChange, turnId: string): Promise<boolean> {
    if (!this.#settle(turnId)) return Promise.resolve(false);
    if (add.length + replace.length + remove.length === 0) return Promise.resolve(true);
    const { facts } = this.#user(userKey);
    for (const id of [...remove, ...replace.map((each) => each.id)]) facts.delete(id);
    for (const fact of [...replace.map(({ by }) => by), ...add]) facts.set(fact.id, fact);
    return Promise.resolve(true);
  }

  correct(userKey: string, { id, text, hash }: Pick<Fact, 'id' | 'text' | 'hash'>, at: number): Promise<boolean> {
    const fact = this.#users.get(userKey)?.facts.get(id);
    if (fact === undefined) return Promise.resolve(false);
    const user = this.#user(userKey);
    user.facts.set(id, { ...fact, text, hash, at });
    this.#settleAll(userKey, at);
    return Promise.resolve(true);
  }

  erase(userKey: string, id: string | undefined, at: number): Promise<number> {
    const { facts } = this.#user(userKey);
    this.#settleAll(userKey, at);
    if (id !== undefined) return Promise.resolve(facts.delete(id) ? 1 : 0);
    const count = facts.size;
    facts.clear();
    return Promise.resolve(count);
  }

  forget(userKey: string): Promise<void> {
    this.#users.delete(userKey);
    for (const [turnId, capture] of this.#captures) if (capture?.userKey === userKey) this.#captures.delete(turnId);
    return Promise.resolve();
  }

  pend(capture: PendingCapture): Promise<boolean> {
    const { turnId, userKey, askedAt } = capture;
    if (this.#captures.has(turnId)) return Promise.resolve(false);
    const isPending = askedAt > (this.#users.get(userKey)?.erasedAt ?? -Infinity);
    this.#captures.set(turnId, isPending ? capture : null);
    // Settled captures are removed first. Captures that wait are removed when their model has failed for long; no later process could take
    // them up.
    for (const isOver of [true, false]) {
      for (const [oldest, waiting] of this.#captures) {
        if (this.#captures.size <= mostCaptures) break;
        if ((waiting === null) === isOver) this.#captures.delete(oldest);
      }
    }
    return Promise.resolve(isPending);
  }

  isPending(turnId: string): Promise<boolean> {
    return Promise.resolve((this.#captures.get(turnId) ?? null) !== null);
  }

  pending(): Promise<readonly PendingCapture[]> {
    const open = [...this.#captures.values()].filter((capture) => capture !== null);
    return Promise.resolve(open.toSorted((one, other) => one.askedAt - other.askedAt));
  }

  drop(turnId: string): Promise<void> {
    this.#settle(turnId);
    return Promise.resolve();
  }

  purge(before: { readonly facts: number; readonly captures: number }): Promise<number> {
    let count = 0;
    for (const [userKey, user] of this.#users) {
      for (const [id, { at }] of user.facts) {
        if (at >= before.facts) continue;
        user.facts.delete(id);
        count += 1;
      }
      if (user.facts.size === 0 && user.erasedAt < before.captures) this.#users.delete(userKey);
    }
    return Promise.resolve(count);
  }

  #user(userKey: string): UserFacts {
    const user = this.#users.get(userKey) ?? { facts: new Map<string, Fact>(), erasedAt: -Infinity };
    this.#users.delete(userKey);
    this.#users.set(userKey, user);
    for (const [oldest] of this.#users) {
      if (this.#users.size <= this.#maxUsers) break;
      this.#users.delete(oldest);
    }
    return user;
  }

  #settleAll(userKey: string, at: number): void {
    this.#user(userKey).erasedAt = at;
    for (const [turnId, capture] of this.#captures) {
      if (capture?.userKey === userKey && capture.askedAt <= at) this.#captures.set(turnId, null);
    }
  }

  /** Returns false when the capture is unknown or was settled before. */
  #settle(turnId: string): boolean {
    if ((this.#captures.get(turnId) ?? null) === null) return false;
    this.#captures.set(turnId, null);
    return true;
  }
}
