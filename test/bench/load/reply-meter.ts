import type { ReplyPlan } from '../reply-plan.ts';
import { monotonicMicroseconds, timestampMark, tokenMark } from '../reply-plan.ts';

const endOfTimestamp = 0x3b;

/** Figures of all replies of one job. */
export interface Readings {
  readonly firstToken: number[];
  readonly added: number[];
  bytes: number;
}

/**
 * Watches the bytes of one connection's replies: when the first token came, how many there were, how late each
 * timestamp arrived. A product may repeat the whole text at the end of a reply, so only as many timestamps as the model
 * wrote are timed.
 */
export class ReplyMeter {
  readonly #mark: number;
  readonly #plan: ReplyPlan;
  readonly #readings: Readings;
  #sentAt = 0;
  #marks = 0;
  #timed = 0;
  #cutTimestamp: Buffer | undefined;

  constructor(plan: ReplyPlan, readings: Readings) {
    this.#plan = plan;
    this.#readings = readings;
    this.#mark = (plan.timestamps ? timestampMark : tokenMark).charCodeAt(0);
  }

  /** Marks seen in this reply. */
  get marks(): number {
    return this.#marks;
  }

  begin(): void {
    this.#marks = 0;
    this.#timed = 0;
    this.#cutTimestamp = undefined;
    this.#sentAt = monotonicMicroseconds();
  }

  /** Takes what one read brought of the reply. */
  take(payload: Buffer): void {
    const now = monotonicMicroseconds();
    this.#readings.bytes += payload.length;
    const before = this.#marks;
    if (this.#plan.timestamps) this.#takeTimestamps(payload, now);
    else this.#countMarks(payload);
    if (before === 0 && this.#marks > 0) this.#readings.firstToken.push(now - this.#sentAt);
  }

  #countMarks(payload: Buffer): void {
    for (let at = payload.indexOf(this.#mark); at >= 0; at = payload.indexOf(this.#mark, at + 1)) this.#marks++;
  }

  #takeTimestamps(payload: Buffer, now: number): void {
    const bytes = this.#cutTimestamp === undefined ? payload : Buffer.concat([this.#cutTimestamp, payload]);
    this.#cutTimestamp = undefined;
    for (let at = bytes.indexOf(this.#mark); at >= 0; at = bytes.indexOf(this.#mark, at + 1)) {
      const end = bytes.indexOf(endOfTimestamp, at);
      if (end < 0) {
        this.#cutTimestamp = bytes.subarray(at);
        return;
      }
      const writtenAt = Number(bytes.toString('latin1', at + 1, end));
      if (!Number.isSafeInteger(writtenAt)) continue;
      this.#marks++;
      if (this.#timed++ < this.#plan.chunks) this.#readings.added.push(now - writtenAt);
    }
  }
}
