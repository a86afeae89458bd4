/** Stands first in an entry whose panel has to be there at once: it was open, or a turn runs. */
export const urgent = '!';

/** What stands in the one place in `sessionStorage` of the widget of one server; empty for nothing. */
export function readEntry(scriptUrl: string): string {
  return attempt(() => sessionStorage.getItem(keyOf(scriptUrl))) ?? '';
}

/** Writes it; where storage is full or blocked, nothing stands there. */
export function writeEntry(scriptUrl: string, text: string): void {
  attempt(() => sessionStorage.setItem(keyOf(scriptUrl), text));
}

/** Takes it away. */
export function clearEntry(scriptUrl: string): void {
  attempt(() => sessionStorage.removeItem(keyOf(scriptUrl)));
}

function keyOf(scriptUrl: string): string {
  return `helper:${scriptUrl.split('?')[0] ?? ''}`;
}

/** Where storage is blocked, even touching it throws. */
function attempt<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}
