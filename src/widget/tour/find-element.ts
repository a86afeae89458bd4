const patienceMs = 1500;
const pauseMs = 100;

/** Finds the element of a step. A page that is still being drawn gets a moment. Null when no such element is visible. */
export async function findElement(selector: string | undefined, isWanted: () => boolean): Promise<Element | null> {
  if (selector === undefined) return null;
  const end = performance.now() + patienceMs;
  for (;;) {
    const element = shownElement(selector);
    if (element !== null || performance.now() >= end || !isWanted()) return element;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

function shownElement(selector: string): Element | null {
  try {
    // The first visible one. A page may keep a hidden copy for small screens.
    return [...document.querySelectorAll(selector)].find(isShown) ?? null;
  } catch {
    // The author of the tour wrote an invalid selector.
    return null;
  }
}

/** Whether the element takes up space on the page. */
export function isShown(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  return width > 0 && height > 0;
}
