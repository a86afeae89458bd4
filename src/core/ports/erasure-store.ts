/**
 * Whose data was erased, and when (contract/sessions.md#erasing): by it, what was saved before is refused. Every method MUST have made its
 * change durable before it resolves. A mark is opaque text in place of a user key.
 */
export interface ErasureStore {
  mark(mark: string, at: number): Promise<void>;
  /** When the last of the users with these marks was erased, in epoch milliseconds; undefined for none of them. */
  erasedAt(marks: readonly string[]): Promise<number | undefined>;
  /** Forgets marks that were made before `before`. */
  forget(before: number): Promise<void>;
}
