import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import type { StorageObserver } from '../storage-observer.ts';
import { CheckedClient } from './checked-client.ts';
import { lockNumber } from './lock-number.ts';
import { connectionOptions, endInTime } from './postgres-pool.ts';

/** Milliseconds between two attempts to have the lock, and between two looks at whether its connection lives. */
const againAfterMs = 500;
const lookEveryMs = 5_000;

/** Makes PostgreSQL give the lock free within half a minute when the machine of its server is gone. */
const keepAlive = '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3';

/** Whether a server uses the database alone, or together with others that do so too. */
export type DatabaseUse = 'alone' | 'together';

/**
 * Keeps a server that uses a database alone apart from all others. The lock belongs to a connection. With a lost connection it is lost too, and it is taken again
 * unless another server has it by then.
 */
export class ServerLock {
  readonly #url: string;
  readonly #log: StorageObserver['log'];
  readonly #use: DatabaseUse;
  readonly #closing = new AbortController();
  #client: Client | undefined;
  #isTaken = false;
  #watching: NodeJS.Timeout | undefined;

  constructor(url: string, { log }: StorageObserver, use: DatabaseUse = 'alone') {
    this.#url = url;
    this.#log = log;
    this.#use = use;
  }

  /** Whether this server has the lock at this moment. */
  get isHeld(): boolean {
    return this.#client !== undefined;
  }

  /**
   * Whether this server may change the database. A server alone may while it has the lock. A server that uses the database together with
   * others goes on while it has lost the lock, until a server alone has it.
   */
  get mayChange(): boolean {
    return this.#use === 'alone' ? this.isHeld : !this.#isTaken;
  }

  /**
   * Takes the lock. Another server that has it is waited for, `waitMs` milliseconds at most.
   * @throws Error with the code SERVER_RUNS when it still has the lock then; what pg throws when the database cannot be reached.
   */
  async take(waitMs: number): Promise<void> {
    if (this.isHeld) return;
    const until = performance.now() + waitMs;
    for (let attempt = 1; !(await this.#tried()); attempt += 1) {
      if (performance.now() > until) throw Object.assign(new Error('another server uses it'), { code: 'SERVER_RUNS' });
      if (attempt === 1) this.#log.warn({}, 'another server uses the database of storage.url: its end is waited for');
      await delay(againAfterMs, undefined, { signal: this.#closing.signal });
    }
  }

  /** Gives the lock to the next server. */
  async release(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#watching);
    const client = this.#client;
    this.#client = undefined;
    if (client !== undefined) await endInTime(client);
  }

  async #tried(): Promise<boolean> {
    const client = new CheckedClient({ ...connectionOptions({ url: this.#url }), options: keepAlive });
    client.on('error', () => undefined);
    const life = { hasEnded: false };
    client.once('end', () => {
      life.hasEnded = true;
      this.#lost(client);
    });
    try {
      await client.connect();
      const lock = this.#use === 'alone' ? 'pg_try_advisory_lock' : 'pg_try_advisory_lock_shared';
      const asked = await client.query<{ taken: boolean }>(`select ${lock}($1::bigint) as taken`, [
        lockNumber('one server'),
      ]);
      if (asked.rows[0]?.taken !== true || this.#closing.signal.aborted) {
        await endInTime(client);
        return false;
      }
      if (life.hasEnded) throw new Error('the connection ended as soon as it had the lock');
    } catch (error) {
      await endInTime(client);
      throw error;
    }
    this.#client = client;
    this.#watch(client);
    return true;
  }

  /** A connection that the network has swallowed tells nothing by itself. */
  #watch(client: Client): void {
    this.#watching = setTimeout(() => {
      client.query('select 1').then(
        () => {
          if (this.#client === client) this.#watch(client);
        },
        () => {
          this.#lost(client);
        },
      );
    }, lookEveryMs).unref();
  }

  #lost(client: Client): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    clearTimeout(this.#watching);
    void endInTime(client);
    void this.#takeAgain();
  }

  async #takeAgain(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const isOurs = await this.#tried().catch(() => undefined);
      if (isOurs !== undefined) this.#setTaken(!isOurs);
      if (isOurs === true) return;
      await delay(againAfterMs, undefined, { signal }).catch(() => undefined);
    }
  }

  #setTaken(isTaken: boolean): void {
    if (this.#isTaken === isTaken || this.#closing.signal.aborted) return;
    this.#isTaken = isTaken;
    if (isTaken) {
      this.#log.error({}, 'another server has taken the database of storage.url: this one changes nothing any more');
    } else {
      this.#log.info({}, 'the database of storage.url is free again: this server changes it again');
    }
  }
}
