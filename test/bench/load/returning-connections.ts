import { reconnectDelay } from '../../../src/widget/transport/reconnect-delay.ts';
import { mostInASecond } from '../report/most-in-a-second.ts';
import { HubSocket } from './hub-socket.ts';
import type { HoldResult, ReturnJob, ReturnResult } from './load-job.ts';

const inFlight = 64;

/** Hub connections over several servers. Those that break come back as the widget does, to the next server. */
export class ReturningConnections {
  readonly #job: ReturnJob;
  readonly #brokenAt: number[] = [];
  readonly #askedAt: number[] = [];
  readonly #backAt: number[] = [];
  readonly #faults: string[] = [];
  #next = 0;

  constructor(job: ReturnJob) {
    this.#job = job;
  }

  /** Opens all of them, some at a time. */
  async open(): Promise<HoldResult> {
    const begin = performance.now();
    let opened = 0;
    const openInTurn = async (): Promise<void> => {
      while (opened < this.#job.connections) {
        opened += 1;
        await this.#connect();
      }
    };
    await Promise.all(Array.from({ length: inFlight }, openInTurn)).catch((error: unknown) => {
      this.#faults.push(String(error));
    });
    return { seconds: (performance.now() - begin) / 1000, faults: this.#faults.slice(0, 5) };
  }

  /** Resolves once all that broke are back, or after the limit of the job. */
  async result(): Promise<ReturnResult> {
    const until = performance.now() + this.#job.limitMs;
    while (performance.now() < until && (this.#brokenAt.length === 0 || this.#backAt.length < this.#brokenAt.length))
      await new Promise((resolve) => setTimeout(resolve, 20));
    const first = Math.min(...this.#brokenAt);
    return {
      broken: this.#brokenAt.length,
      back: this.#backAt.length,
      backMs: Math.max(...this.#backAt) - first,
      askedPerSecond: mostInASecond(this.#askedAt),
    };
  }

  async #connect(): Promise<void> {
    const { ports, path } = this.#job;
    const listener = { records: () => undefined, broken: () => void this.#comeBack() };
    // As a balancer does, each connection goes to the next server, and passes over one that takes none.
    for (let tries = 1; ; tries += 1) {
      const port = ports[this.#next++ % ports.length] ?? 0;
      try {
        await new HubSocket({ port, path }, listener).opened();
        return;
      } catch (error) {
        if (tries === ports.length || !String(error).includes('ECONNREFUSED')) throw error;
      }
    }
  }

  async #comeBack(): Promise<void> {
    this.#brokenAt.push(performance.now());
    for (let attempt = 0; ; attempt += 1) {
      await new Promise((resolve) => setTimeout(resolve, reconnectDelay(attempt)));
      this.#askedAt.push(performance.now());
      try {
        await this.#connect();
        this.#backAt.push(performance.now());
        return;
      } catch {
        // It tries again after its next pause.
      }
    }
  }
}
