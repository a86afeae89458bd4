/** An element of the list. */
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
