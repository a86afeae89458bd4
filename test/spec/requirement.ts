/** One sentence of the contract, and the tests that prove it. Pure data: the gate checks that the tests exist. */
export interface Requirement {
  /** Document, section and a number of its own, such as `wire-4-03`; never given to another sentence. */
  readonly id: string;
  /** Such as `wire.md 4`. */
  readonly source: string;
  /** The sentence, closely paraphrased. */
  readonly says: string;
  /** At least one. */
  readonly tests: readonly TestReference[];
}

export interface TestReference {
  /** From the root of the project. */
  readonly file: string;
  /** The title as it is written, or that of one row of an `it.each` whose table is written out. */
  readonly title: string;
}
