/** What this page knows where storage is blocked. */
const here = new Map<string, string>();

/** Whether this browser has seen a tour of this version, or was asked and declined. */
export function hasSeen(url: string, version: string): boolean {
  const key = keyOf(url);
  try {
    return (localStorage.getItem(key) ?? here.get(key)) === version;
  } catch {
    // Where storage is blocked, even touching it throws.
    return here.get(key) === version;
  }
}

/** Remembers it: in this browser, or where storage is blocked as long as the page lives. */
export function markSeen(url: string, version: string): void {
  here.set(keyOf(url), version);
  try {
    localStorage.setItem(keyOf(url), version);
  } catch {
    // The page remembers.
  }
}

function keyOf(url: string): string {
  return `helper-tour:${url}`;
}
