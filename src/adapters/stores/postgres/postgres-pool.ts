import { type Client, Pool, type PoolClient, type PoolConfig, TypeOverrides, types } from 'pg';
import { atMost } from '../../../core/base/at-most.ts';
import { CheckedClient } from './checked-client.ts';
import { isOfTheConnection } from './postgres-faults.ts';

/** How long a connection may take, in milliseconds. */
export interface ConnectionLimits {
  /** For a connection to be had, in all. */
  readonly connectMs: number;
  /** That PostgreSQL gives one statement. */
  readonly statementMs: number;
  /** After which a connection without an answer counts as dead. */
  readonly answerMs: number;
}

const limitsOfWork: ConnectionLimits = { connectMs: 3_000, statementMs: 10_000, answerMs: 12_000 };

/** Where the database is, and how many connections this server may have. */
export interface PostgresAddress {
  /** `postgres://user:password@host:port/database`, with the parameters of libpq. */
  readonly url: string;
  readonly maxConnections: number;
  /** Left out, there is time for every statement of the stores. */
  readonly limits?: ConnectionLimits;
}

/** Milliseconds that PostgreSQL gives the wait for a lock of another transaction. */
const lockMs = 5_000;

/** Milliseconds after which PostgreSQL ends a transaction whose client has stopped: others wait for its locks. */
const idleInTransactionMs = 5_000;

/** Milliseconds that closing waits for statements under way. */
const closeMs = 3_000;

/** `bigint`, the type of all times, is read as a number. All other types are read as pg reads them. */
const numbers = new TypeOverrides();
numbers.setTypeParser(types.builtins.INT8, Number);

/** How each connection is opened. */
export function connectionOptions({ url, limits = limitsOfWork }: Pick<PostgresAddress, 'url' | 'limits'>): PoolConfig {
  return {
    connectionString: url,
    application_name: 'helper',
    connectionTimeoutMillis: limits.connectMs,
    statement_timeout: limits.statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    query_timeout: limits.answerMs,
    keepAlive: true,
    types: numbers,
  };
}

/** Ends a connection. One that the network has swallowed is left to itself after a short time. Never rejects. */
export async function endInTime(client: Pick<Client, 'end'>): Promise<void> {
  await atMost(
    closeMs,
    client.end().catch(() => undefined),
  );
}

/** Connections to PostgreSQL. All statements of one use are sent without waiting for each other's answers. */
export class PostgresPool {
  readonly #pool: Pool;

  constructor(address: PostgresAddress) {
    this.#pool = new Pool({
      ...connectionOptions(address),
      Client: CheckedClient,
      max: address.maxConnections,
      pipeline: true,
    });
    // A connection that fails while nobody uses it is replaced at its next use, which meets the fault if it lasts.
    this.#pool.on('error', () => undefined);
    // PostgreSQL may end a connection in the same breath in which it opens. The pool has taken its own listener away by then, and `use` has
    // not gone on yet. The first statement then fails.
    this.#pool.on('connect', (connection) => {
      connection.on('error', () => undefined);
    });
  }

  /** Gives `work` a connection for itself. A connection that failed, or that is left inside a transaction, is not used again. */
  async use<Value>(work: (connection: PoolClient) => Promise<Value>): Promise<Value> {
    const connection = await this.#pool.connect();
    let isBroken = false;
    const onError = (): void => {
      isBroken = true;
    };
    connection.on('error', onError);
    try {
      return await work(connection);
    } catch (error) {
      isBroken ||= isOfTheConnection(error);
      throw error;
    } finally {
      connection.removeListener('error', onError);
      connection.release(isBroken || connection.getTransactionStatus() !== 'I');
    }
  }

  /** Closes the connections once their statements are answered, and after a short time in any case. */
  async close(): Promise<void> {
    await atMost(closeMs, this.#pool.end());
  }
}
