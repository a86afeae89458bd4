/** Thrown by a tool whose system cannot be reached: it did not run, and user and model are told just that (contract/plugins.md#callbacks). */
export class ToolUnavailable extends Error {
  override readonly name = 'ToolUnavailable';
}

/** Thrown by a tool that was asked and cannot tell whether it took effect: a write ends as `unknown` (contract/confirmations.md#the-journal). */
export class ToolInterrupted extends Error {
  override readonly name = 'ToolInterrupted';
}

/** Thrown by a tool whose system answered with neither a result nor a refusal of the action, such as an HTTP status. */
export class ToolUnanswered extends Error {
  override readonly name = 'ToolUnanswered';
}

/** Thrown by a tool whose declaration is not the one any more that the call was made for. It did not run. */
export class ToolChanged extends Error {
  override readonly name = 'ToolChanged';
}

/**
 * Whether this fault of a call that was made again after a crash leaves open what the first call did. The outcome is then
 * `unknown` (wire-5-24).
 */
export function outcomeUnknown(error: Error): boolean {
  return [ToolUnavailable, ToolInterrupted, ToolUnanswered].some((fault) => error instanceof fault);
}
