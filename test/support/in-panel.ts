import type { Page } from 'playwright-core';

/** The value of an expression in the page. `find` finds an element of the widget's panel, and `panel` is the whole panel. */
export function inPanel<T>(page: Page, expression: string): Promise<T> {
  return page.evaluate<T>(`(() => {
    const panel = document.querySelector('helper-widget').shadowRoot.querySelector('dialog');
    const find = (selector) => panel.querySelector(selector);
    return ${expression};
  })()`);
}

/** One computed style of an element of the panel. */
export function styleOf(page: Page, selector: string, property: string): Promise<string> {
  return inPanel(page, `getComputedStyle(find(${JSON.stringify(selector)}))[${JSON.stringify(property)}]`);
}

/** Whether an element of the panel has the focus. */
export function hasFocus(page: Page, selector: string): Promise<boolean> {
  return inPanel(page, `find(${JSON.stringify(selector)}).matches(':focus')`);
}
