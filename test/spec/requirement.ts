/** The tests that prove one statement of `docs/contract`. Pure data: the gate checks that statement and tests exist. */
export interface Requirement {
  /** The id of the statement, such as `wire-4-03`. */
  readonly id: string;
  /** At least one. */
  readonly tests: readonly TestReference[];
}

export interface TestReference {
  /** The path from the root of the project. */
  readonly file: string;
  /** The title as the source has it. For an `it.each` with a literal table it may also be the title of one row. */
  readonly title: string;
}
