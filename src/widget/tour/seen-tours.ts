/** The seen tours of this page, where storage is blocked. */
const here = new Map<string, string>();

/** Whether this browser has seen a tour of this version, or was asked and declined. */
export function hasSeen(url: string, version: string): boolean {
  const key = keyOf(url);
  try {
    return (localStorage.getItem(key) ?? here.get(key)) === version;
  } catch {
    // Where storage is blocked, every access throws.
    return here.get(key) === version;
  }
}

/** Remembers a seen tour in this browser. Where storage is blocked, the page remembers it as long as it lives. */
export function markSeen(url: string, version: string): void {
  here.set(keyOf(url), version);
  try {
    localStorage.setItem(keyOf(url), version);
  } catch {
    // The map above remembers it.
  }
}

function keyOf(url: string): string {
  return `helper-tour:${url}`;
}
