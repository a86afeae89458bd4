import type { ToolUser } from '../tools/tool.ts';

/** One call a rule decides about. */
export interface RuledCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly user: ToolUser;
}

/** True approves the call in the user's place (contract/confirmations.md#rules-in-place-of-the-user, `autoApprovalRules`). */
export type AutoApprovalRule = (call: RuledCall) => boolean | Promise<boolean>;

export interface AutoApprovalOptions {
  /** The rules in their order: the first rule that is true approves. A rule that throws approves nothing. */
  readonly rules: readonly AutoApprovalRule[];
  /** In how many rounds of one turn rules may approve. After them the user is asked again. Null: `defaultMaxRounds`. */
  readonly maxRounds: number | null;
}

/** How many rounds of one turn rules may approve in when `maxAutoApprovalIterations` is not set. */
const defaultMaxRounds = 10;

/**
 * Decides which calls run without an answer of the user although their actions ask (`hitlMode: Native`,
 * contract/confirmations.md#blocking-and-native).
 */
export class AutoApproval {
  /**
   * Whether users may choose not to be asked again, because a rule or a limit is configured and a round may go unasked
   * (contract/confirmations.md#rules-in-place-of-the-user, `canRemember`).
   */
  readonly offersRemember: boolean;
  readonly maxRounds: number;
  readonly #rules: readonly AutoApprovalRule[];

  constructor({ rules, maxRounds }: AutoApprovalOptions) {
    this.#rules = rules;
    this.maxRounds = maxRounds ?? defaultMaxRounds;
    this.offersRemember = this.maxRounds > 0 && (rules.length > 0 || maxRounds !== null);
  }

  async approves(call: RuledCall): Promise<boolean> {
    for (const rule of this.#rules) {
      try {
        if (await rule(call)) return true;
      } catch {
        // When a rule throws, the user is asked.
      }
    }
    return false;
  }
}
