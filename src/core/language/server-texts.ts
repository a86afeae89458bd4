import type { TurnErrorCode } from '../errors/error-codes.ts';
import type { UnreadableFile } from '../errors/turn-error.ts';

/** What the server itself says to users, in one language. A missing text does not compile. */
export interface ServerTexts {
  /** Language tag (BCP 47) for dates. */
  readonly locale: string;
  /** Stands below a text that does not hold any more, where the text itself cannot be taken back (contract/openai.md#streams). */
  readonly withdrawn: string;
  /** The title of the tour's step about the actions that users can ask for. */
  readonly tourActionsTitle: string;
  /** `{actions}` is a list of titles. */
  readonly tourActionsText: string;
  /** Texts by the codes of contract/errors.md. `{max}` is a number, `{when}` a moment, `{name}` a file, `{why}` one of `unreadable`. */
  readonly errors: Readonly<Record<TurnErrorCode, string>>;
  /** Sentences that say why a file could not be read. */
  readonly unreadable: Readonly<Record<UnreadableFile['why'], string>>;
  /** Only a part of the file `{name}` is read: `{read}` of `{all}` characters. */
  readonly fileCut: string;
  /** Why the attachments `{names}` were left out of a message. */
  readonly leftOut: Readonly<Record<'disabled' | 'noImage' | 'imageType' | 'fileType', string>>;
  /** In place of the text of `rate_limited` where it is known when the message is let through: `{when}`, such as `in 24 seconds`. */
  readonly tryAgain: string;
  /** In place of the text of `message_too_long` where the window of the model is the limit (contract/models.md#the-context-window). */
  readonly messageOverWindow: string;
  /** Replaces the text of `budget_exceeded` when some budget is left, but is reserved for running calls. */
  readonly budgetHeld: string;
  /** The fixed text of contract/errors.md#faults-of-actions, `onException`. */
  readonly actionFailed: string;
  /** The system behind an action cannot be reached (contract/plugins.md#callbacks, `action_unavailable`). */
  readonly actionUnavailable: string;
  /** Nobody could be asked about an action (contract/restarts.md#storage-that-fails, `question_not_stored`). */
  readonly questionNotStored: string;
  /** An interrupted write (contract/confirmations.md#the-journal, `unknown`). */
  readonly actionUnknown: string;
  /** The user has no role that the call needs (contract/identity.md#roles). `{roles}` are the names of these roles. */
  readonly roleMissing: string;
  /** The kill switch has stopped an action. */
  readonly actionSwitchedOff: string;
  /** The names of the provider's tools, as users read them. */
  readonly hostedTools: Readonly<Record<'WebSearch' | 'FileSearch' | 'CodeInterpreter', string>>;
  /** The description of a call of the provider in a question to the user. Used when nobody has described the server. */
  readonly hostedDescription: string;
  /** The provider has run a tool without an approval. `{action}` is its title. */
  readonly hostedRanUnasked: string;
  /** Texts that replace replies that are not true (contract/guardrails.md#true-replies). */
  readonly honesty: HonestyTexts;
  /** The fault of an argument that a user changed. The text stands after the argument's label and a colon. */
  readonly argumentRules: ArgumentRuleTexts;
}

export interface HonestyTexts {
  /** A sentence: the reply claimed a change that was not made. */
  readonly takenBack: string;
  /** The sentence after `takenBack` when nothing was changed. */
  readonly nothingChanged: string;
  /** The words before a list of the actions that were really done. */
  readonly reallyDone: string;
  /** The text that replaces a reply when no record was looked up. */
  readonly notLookedUp: string;
  /** The text that replaces a reply to another agent which nothing supports that was read. */
  readonly unsupported: string;
  /** The outcome of an action. The text stands after the action's title and a colon. */
  readonly statuses: Readonly<
    Record<'succeeded' | 'failed' | 'declined' | 'refused' | 'cancelled' | 'unknown', string>
  >;
}

/** Texts by the rule that the argument breaks. `{limit}` is the limit of the rule. */
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
  /** The text for every other rule. */
  readonly other: string;
}
