import type { Logger } from '../core/ports/logger.ts';

/** Something that is open while the server runs. */
export interface Resource {
  /** Shown to people; unique. */
  readonly name: string;
  /** Called when the server is about to end. Running work may finish within `graceMs` milliseconds. */
  drain?(graceMs: number): Promise<void>;
  close(): Promise<void>;
}

/** The open resources, in the order in which they were opened. */
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
   * Drains all resources at the same time, and then closes them, the last opened first. A failure is logged, and the other resources are
   * closed all the same. Never rejects.
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
