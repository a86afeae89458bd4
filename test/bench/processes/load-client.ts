import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type {
  ClientOrder,
  ClientReport,
  HoldJob,
  HoldResult,
  LoadJob,
  LoadResult,
  ReturnJob,
  ReturnResult,
} from '../load/load-job.ts';
import { programPath, startNode, stop } from './child-processes.ts';

/** The load generator, in a process of its own. One job at a time. */
export class LoadClient {
  readonly #child: ChildProcess;

  constructor(logFile: string) {
    const program = programPath(new URL('../client.ts', import.meta.url));
    this.#child = startNode({ core: 'load', command: [program], logFile });
  }

  /** Runs one job; `atStart` is called when all connections are open and nothing has been sent. */
  async run(job: LoadJob, atStart: () => Promise<void>): Promise<LoadResult> {
    const prepared = await this.#ask({ kind: 'prepare', job });
    if (prepared.kind === 'finished') return prepared.result;
    await atStart();
    const finished = await this.#ask({ kind: 'go' });
    if (finished.kind !== 'finished') throw new Error('the load client answered out of turn');
    return finished.result;
  }

  /** Opens hub connections that stay open until the run ends. */
  async hold(job: HoldJob): Promise<HoldResult> {
    const held = await this.#ask({ kind: 'hold', job });
    if (held.kind !== 'held') throw new Error('the load client answered out of turn');
    return held.result;
  }

  /** Opens hub connections that come back when they break. */
  async stay(job: ReturnJob): Promise<HoldResult> {
    const held = await this.#ask({ kind: 'stay', job });
    if (held.kind !== 'held') throw new Error('the load client answered out of turn');
    return held.result;
  }

  /** Resolves once all of them that broke are back. */
  async returned(): Promise<ReturnResult> {
    const returned = await this.#ask({ kind: 'returned' });
    if (returned.kind !== 'returned') throw new Error('the load client answered out of turn');
    return returned.result;
  }

  /** Ends the process, and with it every connection that it holds. */
  async close(): Promise<void> {
    await stop(this.#child);
  }

  async #ask(order: ClientOrder): Promise<ClientReport> {
    const answered = once(this.#child, 'message');
    this.#child.send(order);
    // client.ts guarantees the shape.
    const [report] = (await answered) as [ClientReport];
    return report;
  }
}
