import type { Spender } from '../ports/spender.ts';

/** A message or a reply that is checked. */
export interface CheckedText {
  readonly text: string;
  /** The tenant of the user; undefined without one. */
  readonly tenant: string | undefined;
  /** Out of whose budgets questions about it are asked; left out, nobody's. */
  readonly spender?: Spender | undefined;
}

/** Looks at a message before anything may come of it, or at a reply before anyone sees it (docs/contract/guardrails.md). */
export interface TextCheck {
  /** For people, in the log. */
  readonly name: string;
  /**
   * Whether a text is safe; undefined is no verdict. @throws where there was none to be had; the signal's reason once that aborts.
   */
  isSafe(checked: CheckedText, signal: AbortSignal): Promise<boolean | undefined>;
}

/** What is checked: what a user writes, or what the assistant replies. */
export type CheckedDirection = 'input' | 'output';

/** The checks of texts of one direction, and what becomes of a text without a verdict. */
export interface Guard {
  /** At least one. All of them must find a text safe. */
  readonly checks: readonly TextCheck[];
  /** Milliseconds for all of them; null: no limit. */
  readonly timeoutMs: number | null;
  /** With `Block` a message without a verdict is refused, and such a reply withheld. */
  readonly onFailure: 'Allow' | 'Block';
}

/** What the checks have come to: JSON, which is recorded. `none`: at least one gave no verdict, and none found the text unsafe. */
export type Verdict = 'safe' | 'unsafe' | 'none';
