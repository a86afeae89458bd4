import type { Page } from 'playwright-core';

/** What an expression comes to in the page; `find` finds an element of the widget's panel, `panel` is all of it. */
export function inPanel<T>(page: Page, expression: string): Promise<T> {
  return page.evaluate<T>(`(() => {
    const panel = document.querySelector('helper-widget').shadowRoot.querySelector('dialog');
    const find = (selector) => panel.querySelector(selector);
    return ${expression};
  })()`);
}

/** One property of how an element of the panel is drawn. */
export function styleOf(page: Page, selector: string, property: string): Promise<string> {
  return inPanel(page, `getComputedStyle(find(${JSON.stringify(selector)}))[${JSON.stringify(property)}]`);
}

/** Whether an element of the panel has the focus. */
export function hasFocus(page: Page, selector: string): Promise<boolean> {
  return inPanel(page, `find(${JSON.stringify(selector)}).matches(':focus')`);
}
