/** Where a text is spoken: after what is being said, or at once. */
export type Urgency = 'polite' | 'assertive';

/** What screen readers can be told; an empty text is not said. */
export interface Speech {
  say(text: string, urgency?: Urgency): void;
  /** Says later what is worth saying by then. */
  sayLater(delay: number, text: () => string): void;
  /** Says that an answer is being thought about, if that takes a while. */
  think(text: string): void;
  doneThinking(): void;
  /** Actions can follow each other faster than anybody listens. */
  sayAction(text: string): void;
}
