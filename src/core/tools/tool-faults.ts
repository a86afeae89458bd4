/** Thrown by a tool whose system cannot be reached: it did not run, and user and model are told just that (wire.md 10). */
export class ToolUnavailable extends Error {
  override readonly name = 'ToolUnavailable';
}

/** Thrown by a tool that was asked and cannot tell whether it took effect: a write ends as `unknown` (wire.md 5). */
export class ToolInterrupted extends Error {
  override readonly name = 'ToolInterrupted';
}

/**
 * Thrown by a tool whose system answered, but for its action: of a call that is made again after a crash, that says nothing
 * about the first time (wire.md 5).
 */
export class ToolUnanswered extends Error {
  override readonly name = 'ToolUnanswered';
}
