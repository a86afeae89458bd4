/** One thing that a text says or asks for. */
export interface Term {
  /** Its tokens in the languages that the text may be in. Any one of them counts. */
  readonly variants: readonly string[];
  /** A pair of characters of a script without spaces, or a character that stands alone. */
  readonly isPair: boolean;
}

/** Reads the words of short texts, whose language nobody has named. */
export interface TextWords {
  /**
   * Each term of a text once, in order. Words that every sentence is made of are left out unless nothing else is there. Two texts share
   * a term where they share one of its variants.
   */
  termsOf(text: string): readonly Term[];
}
