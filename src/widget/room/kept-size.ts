/** How large the user wants the panel. */
export interface Size {
  /** CSS pixels. Left out: as the page has it. */
  readonly width?: number;
  readonly isLarge?: boolean;
}

/** CSS pixels. */
export const narrowest = 320;
export const widest = 960;

/** What this browser keeps for the widget of one server. Empty where there is nothing, or nothing that can be read. */
export function readSize(scriptUrl: string): Size {
  try {
    const { width, isLarge } = JSON.parse(localStorage.getItem(keyOf(scriptUrl)) ?? '{}') as Partial<
      Record<keyof Size, unknown>
    >; // the page can write it too
    return {
      ...(typeof width === 'number' && width >= narrowest && width <= widest ? { width } : {}),
      ...(isLarge === true ? { isLarge } : {}),
    };
  } catch {
    return {};
  }
}

/** Keeps it in this browser. Where the page may store nothing, it lasts as long as the page. */
export function writeSize(scriptUrl: string, size: Size): void {
  try {
    localStorage.setItem(keyOf(scriptUrl), JSON.stringify(size));
  } catch {
    // The size counts on this page all the same.
  }
}

function keyOf(scriptUrl: string): string {
  return `helper-size ${scriptUrl}`;
}
