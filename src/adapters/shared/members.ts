export type Members = Readonly<Record<string, unknown>>;

/** Whether a value has members: an object that is neither null nor a list. */
export function hasMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
