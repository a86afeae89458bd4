import type { Spender } from '../ports/spender.ts';

/** A message that is checked. */
export interface CheckedMessage {
  readonly text: string;
  /** The tenant of its user; undefined without one. */
  readonly tenant: string | undefined;
  /** Out of whose budgets questions about it are asked; left out, nobody's. */
  readonly spender?: Spender | undefined;
}

/** Looks at a message before anything may come of it (contract/guardrails.md#messages). */
export interface InputCheck {
  /** For people, in the log. */
  readonly name: string;
  /**
   * Whether a message is safe; undefined is no verdict. @throws where there was none to be had; the signal's reason once that aborts.
   */
  isSafe(message: CheckedMessage, signal: AbortSignal): Promise<boolean | undefined>;
}

/** The checks of messages, and what becomes of a message without a verdict. */
export interface InputGuard {
  /** At least one. All of them must find a message safe. */
  readonly checks: readonly InputCheck[];
  /** Milliseconds for all of them; null: no limit. */
  readonly timeoutMs: number | null;
  /** With `Block` a message without a verdict is refused. */
  readonly onFailure: 'Allow' | 'Block';
}

/** What the checks have come to: JSON, which is recorded. `none`: at least one gave no verdict, and none found the message unsafe. */
export type Verdict = 'safe' | 'unsafe' | 'none';
