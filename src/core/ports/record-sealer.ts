/**
 * Makes the record of a turn unreadable for whoever reads the store (contract/restarts.md#turns, `dataProtection`). What was sealed for one
 * turn MUST NOT open for another turn.
 */
export interface RecordSealer {
  seal(text: string, turnId: string): string;
  /** @throws Error when the text was changed, is of another turn, or its key is gone. */
  open(sealed: string, turnId: string): string;
}
