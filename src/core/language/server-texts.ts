import type { TurnErrorCode } from '../errors/error-codes.ts';

/** What the server itself says to users, in one language. A missing text does not compile. */
export interface ServerTexts {
  /** Language tag (BCP 47) for dates. */
  readonly locale: string;
  /** The step of the onboarding tour about what can be asked for. */
  readonly tourActionsTitle: string;
  /** `{actions}` is a list of titles. */
  readonly tourActionsText: string;
  /** By code of contract/errors.md. `{max}` is a number, `{when}` a moment. */
  readonly errors: Readonly<Record<TurnErrorCode, string>>;
  /** In place of `model_unavailable` when the provider refuses the key (contract/models.md): trying again does not help. */
  readonly modelKeyRefused: string;
  /** In place of the text of `message_too_long` where the window of the model is the limit (contract/models.md#the-context-window). */
  readonly messageOverWindow: string;
  /** In place of the text of `budget_exceeded` where something is left, but held for calls that are under way. */
  readonly budgetHeld: string;
  /** The fixed text of contract/errors.md#faults-of-actions, `onException`. */
  readonly actionFailed: string;
  /** The system behind an action is away (contract/plugins.md#callbacks, `action_unavailable`). */
  readonly actionUnavailable: string;
  /** An interrupted write (contract/confirmations.md#the-journal, `unknown`). */
  readonly actionUnknown: string;
  /** A call for which its user has no role (contract/identity.md#roles). `{roles}` are its names. */
  readonly roleMissing: string;
  /** The kill switch has stopped an action. */
  readonly actionSwitchedOff: string;
  /** What the tools of the provider are called. */
  readonly hostedTools: Readonly<Record<'WebSearch' | 'FileSearch' | 'CodeInterpreter', string>>;
  /** What a question says of a call that the provider makes, where nobody has described the server. */
  readonly hostedDescription: string;
  /** The provider has run a tool without an approval. `{action}` is its title. */
  readonly hostedRanUnasked: string;
  /** In place of replies that are not true (contract/guardrails.md#true-replies). */
  readonly honesty: HonestyTexts;
  /** What is wrong with an argument that a user changed, after its label and a colon. */
  readonly argumentRules: ArgumentRuleTexts;
}

export interface HonestyTexts {
  /** A sentence: the reply claimed a change that was not made. */
  readonly takenBack: string;
  /** The sentence behind it where there is nothing to tell. */
  readonly nothingChanged: string;
  /** Stands before a list of what was done. */
  readonly reallyDone: string;
  /** The reply, where no record was looked up. */
  readonly notLookedUp: string;
  /** What became of an action, behind its title and a colon. */
  readonly statuses: Readonly<
    Record<'succeeded' | 'failed' | 'declined' | 'refused' | 'cancelled' | 'unknown', string>
  >;
}

/** By the rule that is broken. `{limit}` is what the rule allows. */
export interface ArgumentRuleTexts {
  readonly missing: string;
  readonly tooShort: string;
  readonly tooLong: string;
  readonly tooSmall: string;
  readonly tooLarge: string;
  readonly notMore: string;
  readonly notLess: string;
  readonly tooFew: string;
  readonly tooMany: string;
  readonly notOneOf: string;
  readonly notWhole: string;
  /** Any other rule. */
  readonly other: string;
}
