/** Thrown by a tool whose system cannot be reached: it did not run, and user and model are told just that (wire.md 10). */
export class ToolUnavailable extends Error {
  override readonly name = 'ToolUnavailable';
}

/** Thrown by a tool that was asked and cannot tell whether it took effect: a write ends as `unknown` (wire.md 5). */
export class ToolInterrupted extends Error {
  override readonly name = 'ToolInterrupted';
}
