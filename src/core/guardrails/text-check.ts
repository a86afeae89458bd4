import type { Spender } from '../ports/spender.ts';

/** A message or a reply that is checked. */
export interface CheckedText {
  readonly text: string;
  /** The tenant of the user; undefined without one. */
  readonly tenant: string | undefined;
  /** Whose budgets pay for the questions about the text. Left out, no budget pays. */
  readonly spender?: Spender | undefined;
}

/** Checks a message before it has any effect, or a reply before anyone sees it (docs/contract/guardrails.md). */
export interface TextCheck {
  /** The name of the check in the log. */
  readonly name: string;
  /**
   * Whether a text is safe. Undefined means that there is no verdict.
   * @throws an error when the check fails; the signal's reason once that aborts.
   */
  isSafe(checked: CheckedText, signal: AbortSignal): Promise<boolean | undefined>;
}

/** What is checked: what a user writes, or what the assistant replies. */
export type CheckedDirection = 'input' | 'output';

/** The checks of texts of one direction, and the rule for a text without a verdict. */
export interface Guard {
  /** At least one check. A text passes only when all of them find it safe. */
  readonly checks: readonly TextCheck[];
  /** Milliseconds for all checks together; null: no limit. */
  readonly timeoutMs: number | null;
  /** With `Block` a message without a verdict is refused, and such a reply withheld. */
  readonly onFailure: 'Allow' | 'Block';
}

/** The result of all checks, as JSON that is recorded. `none`: at least one check gave no verdict, and no check found the text unsafe. */
export type Verdict = 'safe' | 'unsafe' | 'none';
