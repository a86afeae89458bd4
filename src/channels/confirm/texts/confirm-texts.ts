import type { Origin } from '../../../core/events/origin.ts';
import type { ActionStatus, ConfirmationOutcome } from '../../../core/events/turn-event.ts';

/** The origins of text that can be behind a question without its user or the operator having written it. */
type ForeignOrigin = Exclude<Origin, 'user' | 'operator'>;

/** Everything that the page of a question says, in one language. What the widget's box says too is worded alike. */
export interface ConfirmTexts {
  /** BCP 47 tag. */
  readonly locale: string;
  readonly confirmTitle: string;
  readonly irreversible: string;
  /** Says that the same was done, tried or asked for before. `{time}` is a moment. */
  readonly repeats: Readonly<Record<'done' | 'tried' | 'open', string>>;
  /** Marks a destination that no user has typed. */
  readonly notFromUser: string;
  /** Stand for the values true and false. */
  readonly yes: string;
  readonly no: string;
  /** Stands above the arguments that the action does not declare. */
  readonly undeclared: string;
  /** `{time}` is a moment. */
  readonly confirmUntil: string;
  readonly approve: string;
  readonly decline: string;
  /** Why the user is asked where a destination is the only reason. */
  readonly influenced: string;
  /** Unfolds the list of the texts that the assistant has read. */
  readonly basedOn: string;
  /** Says which values come from where. `{values}` are labels, each with `origins` or `unknownSource` in brackets. */
  readonly foreignValues: string;
  readonly unknownSource: string;
  readonly origins: Readonly<Record<ForeignOrigin, string>>;
  readonly program: string;
  /** The same where the name is known by which the program calls itself: `{program}`. */
  readonly programNamed: string;
  /** The question is approved, and the action has not begun. */
  readonly waits: string;
  readonly running: string;
  /** Stands below how a question ended. */
  readonly close: string;
  /** `{user}` is a name. */
  readonly signedInAs: string;
  readonly signIn: string;
  readonly again: string;
  readonly notYours: string;
  readonly programRefused: string;
  readonly gone: string;
  readonly failed: string;
  /** What the program shows beside the address. `{action}` is the title of the action. */
  readonly confirmHere: string;
  /** How a question ended that was not approved. */
  readonly outcome: Readonly<Record<Exclude<ConfirmationOutcome, 'approved'>, string>>;
  /** How an approved action ended. `{action}` is its title. */
  readonly ended: Readonly<Record<ActionStatus, string>>;
}
