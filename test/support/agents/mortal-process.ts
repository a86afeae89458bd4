import type { memoryStores } from '../memory-stores.ts';

type Stores = ReturnType<typeof memoryStores>;

const writes = ['create', 'append', 'end', 'claim', 'requested', 'answered', 'executing', 'retried', 'done'];

/** A process that dies at one of its durable steps. What it does afterwards reaches no store, and nothing comes back to it. */
export class MortalProcess {
  readonly #death: { readonly step: number; readonly isMade: boolean } | undefined;
  readonly #died = Promise.withResolvers<'dead'>();
  #steps = 0;
  isDead = false;

  /** Without `death` it lives on. */
  constructor(death: { readonly step: number; readonly isMade: boolean } | undefined) {
    this.#death = death;
  }

  get died(): Promise<'dead'> {
    return this.#died.promise;
  }

  /** The stores as this process sees them. */
  owns({ journal, turns }: Stores): Stores {
    return { journal: this.#mortal(journal), turns: this.#mortal(turns) };
  }

  #mortal<Store extends object>(store: Store): Store {
    return new Proxy(store, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        return (...given: unknown[]) => this.#pass(String(name), () => Reflect.apply(member, target, given) as unknown);
      },
    });
  }

  async #pass(name: string, act: () => unknown): Promise<unknown> {
    if (this.#isOver()) return never;
    const isLast = writes.includes(name) && this.#counts();
    if (isLast && this.#death?.isMade === false) return this.#die();
    const result = await act();
    if (isLast) return this.#die();
    return this.#isOver() ? never : result;
  }

  /** A process may die while one of its steps is under way. */
  #isOver(): boolean {
    return this.isDead;
  }

  #counts(): boolean {
    this.#steps += 1;
    return this.#steps - 1 === this.#death?.step;
  }

  #die(): Promise<never> {
    this.isDead = true;
    this.#died.resolve('dead');
    return never;
  }
}

const never = new Promise<never>(() => undefined);
