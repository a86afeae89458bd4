import { HelperError } from '../errors/helper-error.ts';
import type { Clock } from '../ports/clock.ts';
import type { Fact, MemoryStore } from '../ports/memory-store.ts';
import { maxFactLength } from './fact-limits.ts';
import { factHash, factText } from './fact-text.ts';

/** What users may do with what is remembered about them (contract/memory.md#requests). */
export class UserMemory {
  readonly #store: MemoryStore;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(store: MemoryStore, clock: Pick<Clock, 'now'>) {
    this.#store = store;
    this.#clock = clock;
  }

  /** The facts of a user, the newest first. @throws HelperError `storage_unavailable`. */
  facts(userKey: string): Promise<readonly Fact[]> {
    return available(this.#store.facts(userKey));
  }

  /** @throws HelperError `not_found`, `invalid_request` for a text that cannot be a fact's, `storage_unavailable`. */
  async correct(userKey: string, id: string, text: string): Promise<void> {
    const said = factText(text);
    if (said === undefined) {
      throw new HelperError('invalid_request', `text must have 1 to ${String(maxFactLength)} characters.`);
    }
    const corrected = { id, text: said, hash: factHash(said) };
    if (!(await available(this.#store.correct(userKey, corrected, this.#clock.now())))) throw unknownFact();
  }

  /** @throws HelperError `not_found`, `storage_unavailable`. */
  async erase(userKey: string, id: string): Promise<void> {
    if ((await available(this.#store.erase(userKey, id, this.#clock.now()))) === 0) throw unknownFact();
  }

  /** Erases all facts of a user. Resolves with how many facts there were. @throws HelperError `storage_unavailable`. */
  eraseAll(userKey: string): Promise<number> {
    return available(this.#store.erase(userKey, undefined, this.#clock.now()));
  }
}

function unknownFact(): HelperError {
  return new HelperError('not_found', 'Nothing is remembered under this id.');
}

async function available<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    const text = 'The memory cannot be reached at the moment. Try again later.';
    throw new HelperError('storage_unavailable', text, { cause: error });
  }
}
