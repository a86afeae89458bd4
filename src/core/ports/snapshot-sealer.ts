/** Longest sealed snapshot, in characters: what can be saved can be restored, and no more is read. */
export const maxSnapshotLength = 12 * 1024 * 1024;

/**
 * Makes a snapshot opaque (contract/sessions.md#snapshots): encrypted, authenticated, and bound to this application, one owner and a time.
 * Knows nothing of what is inside.
 */
export interface SnapshotSealer {
  /**
   * Seals JSON for `owner`.
   * @throws HelperError `payload_too_large` when it would be longer than `maxSnapshotLength`.
   */
  seal(content: unknown, owner: string): Promise<string>;
  /**
   * What was sealed for `owner`, and later than `sealedAfter` (epoch milliseconds). MUST bound what it takes apart, whatever the text is.
   * @throws HelperError `snapshot_refused` that says why, without a word of what is inside.
   */
  open(sealed: string, owner: string, sealedAfter?: number): Promise<unknown>;
}
