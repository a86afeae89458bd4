import type { AskedCall } from './asked-call.ts';

/** The most calls of one user that are kept after their question was decided. */
const mostDecided = 20;

/** The calls that this process has asked about and still knows. */
export class HeldCalls {
  readonly #byId = new Map<string, AskedCall>();
  readonly #byKey = new Map<string, AskedCall>();
  readonly #drop: (asked: AskedCall) => void;
  readonly #freed: (key: string) => void;

  /** `drop` ends a call for which there is no room any more. `freed` is told of each key under which no outcome waits any more. */
  constructor({ drop, freed }: { readonly drop: (asked: AskedCall) => void; readonly freed: (key: string) => void }) {
    this.#drop = drop;
    this.#freed = freed;
  }

  add(asked: AskedCall): void {
    this.#byId.set(asked.actionId, asked);
    this.#byKey.set(asked.key, asked);
  }

  byId(actionId: string): AskedCall | undefined {
    return this.#byId.get(actionId);
  }

  /** The call with this user, action and arguments whose outcome nobody was told yet. */
  waitingFor(key: string): AskedCall | undefined {
    return this.#byKey.get(key);
  }

  all(): readonly AskedCall[] {
    return [...this.#byId.values()];
  }

  /** The outcome of a call was told: another call with the same arguments is a new one. Whoever names the id is told again. */
  told(asked: AskedCall): void {
    if (this.#byKey.get(asked.key) !== asked) return;
    this.#byKey.delete(asked.key);
    this.#freed(asked.key);
  }

  forget(asked: AskedCall): void {
    clearTimeout(asked.timer);
    this.#byId.delete(asked.actionId);
    this.told(asked);
  }

  /** Drops the oldest decided calls of a user beyond the most that are kept. */
  bound(owner: string): void {
    const decided = this.all().filter((asked) => asked.owner === owner && isDecided(asked));
    for (const asked of decided.slice(0, Math.max(0, decided.length - mostDecided))) this.#drop(asked);
  }
}

function isDecided({ state }: AskedCall): boolean {
  return state === 'approved' || state === 'over';
}
