import type { Assistant } from '../../core/assistant.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Session } from '../../core/sessions/session.ts';

/** How long a conversation that nobody goes on with is held, in milliseconds. */
const idleMs = 30 * 60_000;

/** The most conversations that are held of one user. */
const mostOfUser = 20;

/** The most that are held in all. */
const mostInAll = 5_000;

type Opening = Omit<Parameters<Assistant['openSession']>[0], 'channel'>;

interface Thread {
  readonly session: Session;
  readonly owner: string;
  usedAt: number;
}

/**
 * The conversations of signed-in users, by the ids that their clients have chosen (contract/ag-ui.md#threads). A thread belongs to its user:
 * the same id of another user is another thread. Idle ones are forgotten, the least used first.
 */
export class Threads {
  readonly #assistant: Pick<Assistant, 'openSession'>;
  readonly #clock: Pick<Clock, 'now'>;
  /** In the order in which they were used. */
  readonly #threads = new Map<string, Thread>();

  constructor(assistant: Pick<Assistant, 'openSession'>, clock: Pick<Clock, 'now'>) {
    this.#assistant = assistant;
    this.#clock = clock;
  }

  /** The conversation of this thread. `isNew`: nothing is known of what was said in it. */
  of(threadId: string, opening: Opening): { readonly session: Session; readonly isNew: boolean } {
    const { principal } = opening;
    // A client chooses the id, so that others might guess it. Without a user it names nothing.
    if (principal?.kind !== 'signed-in') return { session: this.#opened(opening), isNew: true };
    this.#forgetIdle();
    const key = JSON.stringify([principal.userKey, threadId]);
    const known = this.#threads.get(key);
    if (known !== undefined) {
      known.session.renew(principal, opening.authorization);
      this.#threads.delete(key);
      this.#threads.set(key, { ...known, usedAt: this.#clock.now() });
      return { session: known.session, isNew: false };
    }
    this.#makeRoom(principal.userKey);
    const session = this.#opened(opening);
    this.#threads.set(key, { session, owner: principal.userKey, usedAt: this.#clock.now() });
    return { session, isNew: true };
  }

  /** Ends all conversations. */
  close(): void {
    for (const key of this.#threads.keys()) this.#forget(key);
  }

  #opened(opening: Opening): Session {
    return this.#assistant.openSession({ ...opening, channel: 'agui' });
  }

  #forgetIdle(): void {
    const since = this.#clock.now() - idleMs;
    for (const [key, { usedAt }] of this.#threads) {
      if (usedAt >= since) return;
      this.#forget(key);
    }
  }

  #makeRoom(owner: string): void {
    const own = [...this.#threads].filter(([, thread]) => thread.owner === owner).map(([key]) => key);
    const [oldestOwn] = own;
    if (own.length >= mostOfUser && oldestOwn !== undefined) this.#forget(oldestOwn);
    const [oldest] = this.#threads.keys();
    if (this.#threads.size >= mostInAll && oldest !== undefined) this.#forget(oldest);
  }

  #forget(key: string): void {
    this.#threads.get(key)?.session.close('connection-closed');
    this.#threads.delete(key);
  }
}
