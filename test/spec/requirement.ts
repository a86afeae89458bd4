/** The tests that prove one statement of `docs/contract`. Pure data: the gate checks that statement and tests exist. */
export interface Requirement {
  /** The id of the statement, such as `wire-4-03`. */
  readonly id: string;
  /** At least one. */
  readonly tests: readonly TestReference[];
}

export interface TestReference {
  /** From the root of the project. */
  readonly file: string;
  /** The title as it is written, or that of one row of an `it.each` whose table is written out. */
  readonly title: string;
}
