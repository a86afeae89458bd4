/** Makes an element with a class. */
export function create<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className: string,
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  element.className = className;
  return element;
}

/** A button with a text. */
export function textButton(text: string, className: string, press: () => void): HTMLButtonElement {
  const button = create('button', className);
  button.type = 'button';
  button.textContent = text;
  button.onclick = press;
  return button;
}

/** A pencil. */
export const editPath = 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4';
/** A bin. */
export const removePath = 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v5M14 11v5';

/** Shows a time in the notation of the locale. `at` is RFC 3339. */
export function timeNode(at: string, timeLocale: string): HTMLElement {
  const time = create('time', 'kept-time');
  time.dateTime = at;
  const format = new Intl.DateTimeFormat(timeLocale, { dateStyle: 'medium', timeStyle: 'short' });
  time.textContent = format.format(new Date(at));
  return time;
}
