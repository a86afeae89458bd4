import type { RecordedReply } from '../../agents/recorded-reply.ts';
import type { StepRecord } from '../../record/step-record.ts';

/**
 * The calls that an earlier run of a turn has left without an outcome, until each waits for its answer again, runs or has
 * ended in this run.
 */
export class UnsettledCalls {
  readonly #open = new Set<string>();
  readonly settled: Promise<void>;
  readonly #resolve: () => void;

  constructor(record: StepRecord) {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.settled = promise;
    this.#resolve = () => {
      resolve(undefined);
    };
    this.#collect(record);
    if (this.#open.size === 0) this.#resolve();
  }

  settle(callId: string): void {
    if (this.#open.delete(callId) && this.#open.size === 0) this.#resolve();
  }

  settleAll(): void {
    this.#open.clear();
    this.#resolve();
  }

  #collect(record: StepRecord): void {
    for (const [key, value] of record.entries()) {
      if (!key.endsWith('/model')) continue;
      const path = key.slice(0, -'/model'.length);
      const { calls } = value as RecordedReply; // recorded by `askModel`
      for (const { callId } of calls) if (!record.has(`${path}/call/${callId}`)) this.#open.add(callId);
    }
  }
}
