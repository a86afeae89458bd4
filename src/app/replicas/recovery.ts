import type { Logger } from '../../core/ports/logger.ts';
import type { Resource } from '../open-resources.ts';

/** How often is looked for what dead replicas have left behind, in milliseconds. Their leases end after 15 s. */
const defaultEveryMs = 5_000;

/** One kind of things that a dead replica may have left behind. */
export interface RecoveryStep {
  /** Shown to people, after "what dead replicas have left of". */
  readonly name: string;
  /** Takes over what this replica may take. MUST leave alone what belongs to a replica that lives. */
  run(): Promise<unknown>;
}

export interface RecoveryOptions {
  /** Whether there may be other replicas. Without any, no step is ever run. */
  readonly isShared: boolean;
  readonly log: Pick<Logger, 'warn'>;
  /** Milliseconds between two runs. Left out: 5 s. */
  readonly everyMs?: number | undefined;
}

/**
 * Takes care of what dead replicas have left behind, while this one runs (contract/replicas.md#left-behind). What was left before the start is
 * taken care of by the start itself. Runs follow one another and never overlap.
 */
export class Recovery implements Resource {
  readonly name = 'recovery';
  readonly #isShared: boolean;
  readonly #log: RecoveryOptions['log'];
  readonly #everyMs: number;
  readonly #steps: RecoveryStep[] = [];
  readonly #failing = new Set<RecoveryStep>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isEnding = false;

  constructor({ isShared, log, everyMs = defaultEveryMs }: RecoveryOptions) {
    this.#isShared = isShared;
    this.#log = log;
    this.#everyMs = everyMs;
  }

  /** Makes the step a part of every run from now on. Steps are made in the order in which they were added. */
  readonly add = (step: RecoveryStep): void => {
    this.#steps.push(step);
  };

  /** Begins the runs. The first one comes after one interval. */
  start(): void {
    if (this.#isEnding || !this.#isShared) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#run().finally(() => this.start());
    }, this.#everyMs).unref();
  }

  /** A server that is about to end takes nothing over any more. */
  async drain(): Promise<void> {
    await this.close();
  }

  async close(): Promise<void> {
    this.#isEnding = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  /** Never rejects. A step that fails is left for the next run. */
  async #run(): Promise<void> {
    for (const step of this.#steps) {
      if (this.#isEnding) return;
      try {
        await step.run();
        this.#failing.delete(step);
      } catch (error) {
        if (this.#failing.has(step)) continue;
        this.#failing.add(step);
        this.#log.warn(
          { error, of: step.name },
          'what dead replicas have left could not be taken over; it is tried again',
        );
      }
    }
  }
}
