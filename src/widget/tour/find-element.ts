const patienceMs = 1500;
const pauseMs = 100;

/** The element of a step, for which a page that is just being drawn gets a moment; null when there is none to be seen. */
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
    // Not the first one: a page may keep a hidden copy for small screens.
    return [...document.querySelectorAll(selector)].find(isShown) ?? null;
  } catch {
    // Whoever wrote the tour has written no selector.
    return null;
  }
}

/** It has a place on the page. */
export function isShown(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  return width > 0 && height > 0;
}
