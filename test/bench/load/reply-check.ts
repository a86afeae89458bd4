import type { ReplyPlan } from '../reply-plan.ts';
import type { LoadRun } from './load-run.ts';
import { ReplyMeter } from './reply-meter.ts';
import { faultOfReply } from './verify-reply.ts';

/**
 * Checks the replies of one connection. The first one of a few connections is kept and compared delta by delta; of all
 * others the tokens are counted, which costs the client little enough not to be what is measured.
 */
export class ReplyCheck {
  readonly #run: LoadRun;
  readonly #plan: ReplyPlan;
  readonly #meter: ReplyMeter;
  #kept: Buffer[] | undefined;
  #expectedMarks: number | undefined;

  constructor(run: LoadRun, index: number) {
    this.#run = run;
    this.#plan = run.plan;
    this.#meter = new ReplyMeter(run.plan, run.readings);
    this.#kept = run.isVerified(index) ? [] : undefined;
  }

  begin(): void {
    this.#meter.begin();
  }

  take(payload: Buffer): void {
    this.#meter.take(payload);
    this.#kept?.push(payload);
  }

  /** `decode` turns the kept bytes into the text that is compared. */
  end(decode: (kept: Buffer) => string): void {
    if (this.#kept !== undefined) this.#verify(decode(Buffer.concat(this.#kept)));
    else this.#count();
  }

  #verify(received: string): void {
    this.#kept = undefined;
    const fault = faultOfReply(received, this.#run.job.format, this.#plan);
    if (fault === undefined) this.#run.verified++;
    else this.#run.faults.push(fault);
  }

  /** Every product repeats a token the same number of times in each reply, so the counts of all replies are equal. */
  #count(): void {
    const marks = this.#meter.marks;
    this.#expectedMarks ??= Math.max(marks - (marks % this.#plan.chunks), this.#plan.chunks);
    if (marks !== this.#expectedMarks) {
      this.#run.faults.push(`a reply holds ${String(marks)} tokens, ${String(this.#expectedMarks)} were expected`);
    }
  }
}
