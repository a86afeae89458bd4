import type { Logger } from '../core/ports/logger.ts';

/** Something that is open while the server runs. */
export interface Resource {
  /** For people; unique. */
  readonly name: string;
  /** The server is about to end: what runs may finish, for `graceMs` at most. */
  drain?(graceMs: number): Promise<void>;
  close(): Promise<void>;
}

/** What is open, in the order in which it was opened. */
export class OpenResources {
  readonly #log: Logger;
  readonly #open: Resource[] = [];

  constructor(log: Logger) {
    this.#log = log;
  }

  add(...resources: readonly Resource[]): void {
    this.#open.push(...resources);
  }

  /**
   * Lets everything drain at the same time, and then closes it. What was opened last is closed first. A failure is
   * logged, and the rest is closed all the same. Never rejects.
   */
  async close(graceMs: number): Promise<void> {
    const drains = this.#open.toReversed().map((resource) => this.#try(resource, () => resource.drain?.(graceMs)));
    await Promise.all(drains);
    for (let last = this.#open.pop(); last !== undefined; last = this.#open.pop()) {
      const resource = last;
      await this.#try(resource, () => resource.close());
    }
  }

  async #try({ name }: Resource, work: () => Promise<void> | undefined): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#log.error({ error, resource: name }, 'a part of the server could not be closed');
    }
  }
}
