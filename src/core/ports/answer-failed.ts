/** Another replica could not answer. Its code is all that is told of the reason. */
export class AnswerFailed extends Error {
  override readonly name = 'AnswerFailed';
  /** The code of a `HelperError` or a `TurnError`, `unknown_kind`, `overloaded`, or `internal`. */
  readonly code: string;

  constructor(code: string) {
    super(`another replica could not answer: ${code}`);
    this.code = code;
  }
}
