/** When a text is spoken: `polite` after the current speech, `assertive` at once. */
export type Urgency = 'polite' | 'assertive';

/** What screen readers can be told. An empty text is not spoken. */
export interface Speech {
  say(text: string, urgency?: Urgency): void;
  /** Calls `text` after `delay` milliseconds and speaks its result. */
  sayLater(delay: number, text: () => string): void;
  /** Announces that the assistant is thinking, if that takes a while. */
  think(text: string): void;
  doneThinking(): void;
  /** Announces an action, unless the announcement before it was very recent. */
  sayAction(text: string): void;
}
