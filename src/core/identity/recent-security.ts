import type { SecurityEvent } from '../events/security-event.ts';

/** A line of the security log as the log has it, but for `security: true`, which all of them have. */
export type SecurityLine = SecurityEvent & {
  /** As ISO 8601. */
  readonly time: string;
  readonly level: 'info' | 'warn';
  readonly message: string;
};

/** The most lines that are kept. Without a limit, refused callers could fill the memory. */
const mostLines = 200;

/** The newest lines of the security log of this process, for the dashboard (contract/operations.md#security-log). */
export class RecentSecurity {
  readonly #now: () => number;
  readonly #lines: SecurityLine[] = [];

  /** `now`: epoch milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Keeps a line, and forgets the oldest one beyond the limit. */
  add(line: SecurityEvent & Pick<SecurityLine, 'level' | 'message'>): void {
    this.#lines.push({ time: new Date(this.#now()).toISOString(), ...line });
    if (this.#lines.length > mostLines) this.#lines.shift();
  }

  /** The kept lines, newest first. */
  newest(): readonly SecurityLine[] {
    return this.#lines.toReversed();
  }
}
