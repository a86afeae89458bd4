/** The question about an action in the action's own words (contract/confirmations.md#words-of-a-question). */
export interface ConfirmWords {
  /** `{orderNumber}` stands for the argument of this name. */
  readonly title?: string;
  /** The label of the button that approves. */
  readonly approve?: string;
  /** The label of the button that declines. */
  readonly decline?: string;
}

/** What people read of an action. */
export interface ActionWords {
  readonly title?: string;
  readonly description?: string;
  readonly confirm?: ConfirmWords;
  /** The labels of arguments, by name. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** Words of an action by language: the first part of the language's tag, such as `de`. */
export type WordsByLanguage = Readonly<Record<string, ActionWords>>;
