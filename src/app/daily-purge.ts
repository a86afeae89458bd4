import type { Logger } from '../core/ports/logger.ts';
import type { Metrics } from '../core/ports/metrics.ts';
import type { Resource } from './open-resources.ts';

const dayMs = 24 * 60 * 60 * 1000;

type Purged = Parameters<Metrics['purged']>[0];

interface PurgeServices {
  readonly log: Logger;
  readonly metrics: Pick<Metrics, 'purged'>;
}

const notDeleted = {
  journal: 'old confirmations could not be deleted; the next attempt is tomorrow',
  memory: 'old facts could not be deleted; the next attempt is tomorrow',
  budgets: 'budgets of windows that are over could not be deleted; the next attempt is tomorrow',
  tasks: 'old tasks of other agents could not be deleted; the next attempt is tomorrow',
  vectors: 'vectors of documents that nobody uses could not be deleted; the next attempt is tomorrow',
  conversations: 'old conversations could not be deleted; the next attempt is tomorrow',
} as const satisfies Readonly<Record<Purged, string>>;

/**
 * Deletes what is too old once a day until it is closed, so that the store of a server that is never restarted stays bounded
 * (contract/operations.md#retention).
 */
export class DailyPurge implements Resource {
  readonly name: string;
  readonly #what: Purged;
  readonly #purge: () => Promise<number>;
  readonly #services: PurgeServices;
  readonly #timer: NodeJS.Timeout;

  /** `purge` deletes what is too old, and resolves with the number of deletions. */
  constructor(what: Purged, purge: () => Promise<number>, services: PurgeServices) {
    this.name = `purging of ${what}`;
    this.#what = what;
    this.#purge = purge;
    this.#services = services;
    this.#timer = setInterval(() => void this.now(), dayMs).unref();
  }

  /** Deletes at once. Never rejects: a failure is logged. */
  async now(): Promise<void> {
    try {
      this.#services.metrics.purged(this.#what, await this.#purge());
    } catch (error) {
      this.#services.log.warn({ error }, notDeleted[this.#what]);
    }
  }

  close(): Promise<void> {
    clearInterval(this.#timer);
    return Promise.resolve();
  }
}
