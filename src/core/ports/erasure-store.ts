/**
 * Remembers whose data was erased, and when (contract/sessions.md#erasing). Data that was saved before the erasure is then refused. Every
 * method MUST have made its change durable before it resolves. A mark is opaque text that stands for a user key.
 */
export interface ErasureStore {
  mark(mark: string, at: number): Promise<void>;
  /**
   * The time of the latest erasure of a user with one of these marks, in epoch milliseconds. Undefined when none of these users was erased.
   */
  erasedAt(marks: readonly string[]): Promise<number | undefined>;
  /** The latest time by which anything counts as said or erased, of any user. Undefined when nothing is stored. */
  latest(): Promise<number | undefined>;
  /** Forgets marks that were made before `before`. */
  forget(before: number): Promise<void>;
}
