import { type Expression, sql, type SqlBool } from 'kysely';
import type { Holder } from '../sql/holder.ts';
import { type SqlDatabase, statement } from '../sql/sql-database.ts';
import type { StorageObserver } from '../storage-observer.ts';
import { databaseNow as now } from './database-clock.ts';
import type { ConnectionLimits } from './postgres-pool.ts';

/** How often a server says that it lives, and how long that counts, in milliseconds. */
export interface LeaseTimes {
  readonly beatMs: number;
  readonly leaseMs: number;
}

const defaultTimes: LeaseTimes = { beatMs: 5_000, leaseMs: 15_000 };

/**
 * The limits of the connection on which a server says that it lives. With a second attempt after each that fails, a connection that the
 * network has swallowed is noticed, and another one tried twice, before `leaseMs` is over.
 */
export const limitsOfLease: ConnectionLimits = { connectMs: 2_000, statementMs: 2_500, answerMs: 3_000 };

/** Milliseconds between two attempts once a second one has failed. */
const againAfterMs = 1_000;

/** Milliseconds after which the row of a dead server is deleted. */
const forgottenAfterMs = 24 * 60 * 60 * 1_000;

/**
 * Says at intervals that this server lives (contract/replicas.md#turns). A server that has said nothing for `leaseMs` counts as dead, and the
 * others may take what it holds. The epochs of turns and the states of rows keep the server from changing what it has lost, and
 * `onHeardAgain` tells it that it may have lost something.
 */
export class ReplicaLease implements Holder {
  readonly replica: string;
  readonly now = now;
  readonly #database: SqlDatabase;
  readonly #log: StorageObserver['log'];
  readonly #times: LeaseTimes;
  readonly #heardAgain: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isReleased = false;
  /** When the database has heard this server last, and since when without a gap, on a clock that never goes back. */
  #heardAt = -Infinity;
  #steadySince = -Infinity;

  /** The caller owns and closes `database`. */
  constructor(database: SqlDatabase, { replica, log, times = defaultTimes }: LeaseOptions) {
    this.#database = database;
    this.replica = replica;
    this.#log = log;
    this.#times = times;
  }

  isFree(column: Expression<string | null>): Expression<SqlBool> {
    const { leaseMs } = this.#times;
    const isHeard = this.#isSteady ? sql`and living.seen_at > ${now} - ${leaseMs}` : sql``;
    // A change that waited for the change of another server asks its condition again of the row as it is then. PostgreSQL would not look at
    // `replica` again for `not exists`, which it makes a join of, and two servers would take one row.
    return sql<SqlBool>`(${column} is distinct from ${this.replica}
      and (select count(*) from replica as living where living.id = ${column} ${isHeard}) = 0)`;
  }

  onHeardAgain(listener: () => void): void {
    this.#heardAgain.push(listener);
  }

  /**
   * Makes this server known to the others.
   * @throws Error when the database does not take it.
   */
  async begin(): Promise<void> {
    const { queries } = this.#database;
    const old = queries.deleteFrom('replica').where('seen_at', '<', sql<number>`${now} - ${forgottenAfterMs}`);
    await this.#database.change([statement(old)], { refusal: 'dead servers cannot be forgotten', order: 'replicas' });
    await this.#beat();
    this.#schedule();
  }

  /** Lets go of everything at once. Never rejects: a server that says nothing counts as dead soon. */
  async release(): Promise<void> {
    this.#isReleased = true;
    clearTimeout(this.#timer);
    const gone = this.#database.queries.deleteFrom('replica').where('id', '=', this.replica);
    await this.#database
      .change([statement(gone)], { refusal: 'this server cannot be taken out', order: this.#order })
      .catch((error: unknown) => {
        this.#log.warn({ error }, 'the other replicas were not told that this one ends: they wait for its lease');
      });
  }

  /**
   * Whether this server can tell a dead server from a silent one. When the database was away, or this server was frozen, nobody was heard for
   * a while: everybody else gets the time of a lease to say that they live.
   */
  get #isSteady(): boolean {
    const { beatMs, leaseMs } = this.#times;
    const now = performance.now();
    return (
      leaseMs === 0 || (now - this.#heardAt <= Math.max(leaseMs - beatMs, 0) && now - this.#steadySince >= leaseMs)
    );
  }

  get #order(): string {
    return `replica ${this.replica}`;
  }

  async #beat(): Promise<void> {
    const lives = this.#database.queries
      .insertInto('replica')
      .values({ id: this.replica, seen_at: now })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: now }));
    const asked = performance.now();
    await this.#database.change([statement(lives)], {
      refusal: 'this server cannot say that it lives',
      order: this.#order,
    });
    const { beatMs, leaseMs } = this.#times;
    const wasSilent = asked - this.#heardAt > Math.max(leaseMs - beatMs, 0);
    if (wasSilent) this.#steadySince = performance.now();
    this.#heardAt = asked;
    if (wasSilent) for (const listener of this.#heardAgain) listener();
  }

  #schedule(afterMs = this.#times.beatMs): void {
    if (this.#isReleased) return;
    this.#timer = setTimeout(() => {
      void this.#beatOrAgain().then((nextMs) => {
        this.#schedule(nextMs);
      });
    }, afterMs).unref();
  }

  /** The log of the storage tells that it fails. Resolves with the milliseconds until the next beat. */
  async #beatOrAgain(): Promise<number> {
    const { beatMs } = this.#times;
    try {
      await this.#beat().catch((error: unknown) => {
        // A server that was let go must not come back.
        if (this.#isReleased) throw error;
        // The connection may be dead while the next one is answered at once.
        return this.#beat();
      });
      return beatMs;
    } catch {
      return Math.min(beatMs, againAfterMs);
    }
  }
}

/** What a lease is made with. */
export interface LeaseOptions {
  readonly replica: string;
  readonly log: StorageObserver['log'];
  readonly times?: LeaseTimes | undefined;
}
