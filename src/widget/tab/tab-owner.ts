/** Milliseconds within which a page that was left releases its record. */
const patienceMs = 1000;

/**
 * Makes this page the only one that continues a record. False when another page has it: duplicating a tab copies the record, and two tabs
 * must not share a conversation. True in a browser without locks.
 */
export function ownRecord(id: string): Promise<boolean> {
  const { locks } = navigator as Partial<Navigator>; // browsers have it in secure contexts only
  if (locks === undefined) return Promise.resolve(true);
  return new Promise((resolve) => {
    locks
      .request(`helper:${id}`, { signal: AbortSignal.timeout(patienceMs) }, () => {
        resolve(true);
        // The lock is held until the page ends.
        return new Promise(() => undefined);
      })
      .catch(() => resolve(false));
  });
}
