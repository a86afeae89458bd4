/** One thing that a text says or asks for. */
export interface Term {
  /** The tokens of the term in the languages that the text may be in. A match with one of them is enough. */
  readonly variants: readonly string[];
  /** A pair of characters of a script without spaces, or a character that stands alone. */
  readonly isPair: boolean;
}

/** Reads the words of short texts, whose language nobody has named. */
export interface TextWords {
  /**
   * Each term of a text once, in order. Very common words are left out, unless the text has no other words. Two texts share a term when
   * they share one of its variants.
   */
  termsOf(text: string): readonly Term[];
}
