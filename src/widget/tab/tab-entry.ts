/** The first character of an entry whose panel must load at once, because the panel was open or a turn runs. */
export const urgent = '!';

/** The entry of one server's widget in `sessionStorage`. Empty when there is none. */
export function readEntry(scriptUrl: string): string {
  return attempt(() => sessionStorage.getItem(keyOf(scriptUrl))) ?? '';
}

/** Writes the entry. Where storage is full or blocked, the write has no effect. */
export function writeEntry(scriptUrl: string, text: string): void {
  attempt(() => sessionStorage.setItem(keyOf(scriptUrl), text));
}

/** Removes the entry. */
export function clearEntry(scriptUrl: string): void {
  attempt(() => sessionStorage.removeItem(keyOf(scriptUrl)));
}

function keyOf(scriptUrl: string): string {
  return `helper:${scriptUrl.split('?')[0] ?? ''}`;
}

/** Runs `use`. Where storage is blocked, every access throws. */
function attempt<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}
