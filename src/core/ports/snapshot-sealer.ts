/** The longest sealed snapshot, in characters. The limit is the same for saving and restoring, so whatever can be saved can be restored. */
export const maxSnapshotLength = 12 * 1024 * 1024;

/**
 * Makes a snapshot opaque (contract/sessions.md#snapshots): encrypted, authenticated, and bound to this application, one owner and a time.
 * The sealer knows nothing of the content.
 */
export interface SnapshotSealer {
  /**
   * Seals JSON for `owner`.
   * @throws HelperError `payload_too_large` when it would be longer than `maxSnapshotLength`.
   */
  seal(content: unknown, owner: string): Promise<string>;
  /**
   * Opens what was sealed for `owner` later than `sealedAfter` (epoch milliseconds). MUST limit its work, whatever the text is.
   * @throws HelperError `snapshot_refused` that says why, without a word of the content.
   */
  open(sealed: string, owner: string, sealedAfter?: number): Promise<unknown>;
}
