import { OneAtATime } from '../base/one-at-a-time.ts';
import { untilStopped } from '../base/until-stopped.ts';
import type { FactKeeper, KeptFact } from '../ports/fact-keeper.ts';
import type { Fact, FactChange, MemoryStore, PendingCapture } from '../ports/memory-store.ts';
import { maxFacts } from './fact-limits.ts';
import { factHash } from './fact-text.ts';

const noChange: FactChange = { add: [], replace: [], remove: [] };

/**
 * Facts that a plugin keeps, and captures that `captures` keeps (contract/memory.md#storage). The changes of one user run one after the
 * other, so that no earlier change is written after an erasure. A fact whose change was interrupted may be saved twice.
 */
export class KeptMemory implements MemoryStore {
  readonly #keeper: FactKeeper;
  readonly #captures: MemoryStore;
  readonly #inTurn = new OneAtATime();

  constructor(keeper: FactKeeper, captures: MemoryStore) {
    this.#keeper = keeper;
    this.#captures = captures;
  }

  get captures(): MemoryStore['captures'] {
    return this.#captures.captures;
  }

  async facts(userKey: string): Promise<readonly Fact[]> {
    const kept = await this.#asked((signal) => this.#keeper.list(userKey, signal));
    const facts = kept.map((fact) => ({ ...fact, hash: factHash(fact.text) }));
    return facts.toSorted((one, other) => other.at - one.at).slice(0, maxFacts);
  }

  change(userKey: string, { add, replace, remove }: FactChange, turnId: string): Promise<boolean> {
    return this.#inTurn.do(userKey, async () => {
      if (!(await this.#captures.isPending(turnId))) return false;
      for (const fact of [...add, ...replace.map(({ by }) => by)]) await this.#save(userKey, fact);
      for (const id of [...remove, ...replace.map((each) => each.id)]) await this.#remove(userKey, id);
      return this.#captures.change(userKey, noChange, turnId);
    });
  }

  correct(userKey: string, { id, text }: Pick<Fact, 'id' | 'text'>, at: number): Promise<boolean> {
    return this.#inTurn.do(userKey, async () => {
      const fact = (await this.facts(userKey)).find((each) => each.id === id);
      if (fact === undefined) return false;
      await this.#captures.erase(userKey, undefined, at);
      await this.#save(userKey, { ...fact, text, at });
      return true;
    });
  }

  erase(userKey: string, id: string | undefined, at: number): Promise<number> {
    return this.#inTurn.do(userKey, async () => {
      await this.#captures.erase(userKey, undefined, at);
      const facts = await this.facts(userKey);
      const count = id === undefined ? facts.length : facts.filter((fact) => fact.id === id).length;
      if (count > 0 || id === undefined) await this.#remove(userKey, id);
      return count;
    });
  }

  forget(userKey: string): Promise<void> {
    return this.#inTurn.do(userKey, () => this.#captures.forget(userKey));
  }

  pend(capture: PendingCapture): Promise<boolean> {
    return this.#captures.pend(capture);
  }

  isPending(turnId: string): Promise<boolean> {
    return this.#captures.isPending(turnId);
  }

  pending(): Promise<readonly PendingCapture[]> {
    return this.#captures.pending();
  }

  drop(turnId: string): Promise<void> {
    return this.#captures.drop(turnId);
  }

  /** The plugin decides how long facts are kept. */
  purge(before: { readonly facts: number; readonly captures: number }): Promise<number> {
    return this.#captures.purge(before);
  }

  #save(userKey: string, { hash: _, ...fact }: KeptFact & { readonly hash?: string }): Promise<void> {
    return this.#asked((signal) => this.#keeper.save(userKey, fact, signal));
  }

  #remove(userKey: string, id: string | undefined): Promise<void> {
    return this.#asked((signal) => this.#keeper.remove(userKey, id, signal));
  }

  #asked<Value>(ask: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
    const limit = AbortSignal.timeout(this.#keeper.timeoutMs);
    return untilStopped(ask(limit), limit);
  }
}
