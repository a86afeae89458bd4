/** Recorded by a turn whose reply is held until its check has passed it (docs/contract/guardrails.md#replies). */
export const heldKey = 'guard/held';

/** Whether text and cards of a turn are held. */
export function isHeld(record: { has(key: string): boolean }): boolean {
  return record.has(heldKey);
}

/** The key under which the text of a held round is recorded once it is shown. */
export function releasedKey(at: string): string {
  return `${at}/released`;
}
