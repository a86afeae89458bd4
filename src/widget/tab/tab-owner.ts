/** A page that is left lets go in this time. */
const patienceMs = 1000;

/**
 * Makes this page the one that goes on with a record. False when another page has it: a tab that is duplicated takes a copy along,
 * and two tabs must not share a conversation. A browser without locks does not tell.
 */
export function ownRecord(id: string): Promise<boolean> {
  const { locks } = navigator as Partial<Navigator>; // only in secure contexts
  if (locks === undefined) return Promise.resolve(true);
  return new Promise((resolve) => {
    locks
      .request(`helper:${id}`, { signal: AbortSignal.timeout(patienceMs) }, () => {
        resolve(true);
        // Held until the page ends.
        return new Promise(() => undefined);
      })
      .catch(() => resolve(false));
  });
}
