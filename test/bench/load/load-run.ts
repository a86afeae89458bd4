import type { ReplyPlan } from '../reply-plan.ts';
import { replyPlanOf } from '../reply-plan.ts';
import { quantile } from '../report/statistics.ts';
import type { LoadJob, LoadResult, Percentiles } from './load-job.ts';
import type { Readings } from './reply-meter.ts';

/** The number of connections whose first reply is compared in full. */
const verifiedConnections = 8;

/** A connection that works through the messages of a job. */
export interface LoadConnection {
  /** Resolves once messages can be sent. */
  open(): Promise<void>;
  /** Sends the next message; its end is told to the run. */
  send(): void;
  close(): void;
}

/** Makes the connection number `index` of a run. */
export type ConnectionMaker = (run: LoadRun, index: number) => LoadConnection;

/** The closed loop of one job: hands out messages, collects readings and faults, knows when all is done. */
export class LoadRun {
  readonly job: LoadJob;
  readonly plan: ReplyPlan;
  readonly readings: Readings = { firstToken: [], added: [], bytes: 0 };
  readonly faults: string[] = [];
  verified = 0;
  readonly #connections: readonly LoadConnection[];
  readonly #finished = Promise.withResolvers<undefined>();
  #started = 0;
  #ended = 0;

  constructor(job: LoadJob, makeConnection: ConnectionMaker) {
    const plan = replyPlanOf(job.model);
    if (plan === undefined) throw new Error(`not a name of the fake model: ${job.model}`);
    this.job = job;
    this.plan = plan;
    this.#connections = Array.from({ length: job.concurrency }, (_, index) => makeConnection(this, index));
  }

  /** Opens all connections, a few hundred at a time. */
  async open(): Promise<void> {
    for (let first = 0; first < this.#connections.length; first += 256) {
      await Promise.all(this.#connections.slice(first, first + 256).map((connection) => connection.open()));
    }
  }

  /** Runs the loop to its end or its limit. */
  async measure(): Promise<LoadResult> {
    const begin = performance.now();
    const limit = setTimeout(() => {
      this.faults.push(`not finished after ${String(this.job.limitMs)} ms`);
      this.#finished.resolve(undefined);
    }, this.job.limitMs);
    for (const connection of this.#connections) this.#sendNext(connection);
    await this.#finished.promise;
    clearTimeout(limit);
    const seconds = (performance.now() - begin) / 1000;
    for (const connection of this.#connections) connection.close();
    return this.#result(seconds);
  }

  /** Whether this connection's first reply is compared delta by delta. */
  isVerified(index: number): boolean {
    return index < verifiedConnections;
  }

  /** Call this when a reply has ended, also with a fault. The connection may then send its next message. */
  replyEnded(connection: LoadConnection): void {
    this.#ended++;
    if (this.#ended >= this.job.replies) this.#finished.resolve(undefined);
    else this.#sendNext(connection);
  }

  /** Call this when a connection cannot continue. One such fault ends the job. */
  broken(reason: string): void {
    this.faults.push(reason);
    this.#finished.resolve(undefined);
  }

  #sendNext(connection: LoadConnection): void {
    if (this.#started >= this.job.replies) return;
    this.#started++;
    connection.send();
  }

  #result(seconds: number): LoadResult {
    return {
      replies: this.#ended,
      seconds,
      bytesPerReply: Math.round(this.readings.bytes / Math.max(this.#ended, 1)),
      firstToken: percentiles(this.readings.firstToken),
      added: percentiles(this.readings.added),
      verified: this.verified,
      faults: this.faults.slice(0, 5),
    };
  }
}

function percentiles(values: number[]): Percentiles {
  values.sort((left, right) => left - right);
  return { p50: quantile(values, 0.5), p99: quantile(values, 0.99) };
}
