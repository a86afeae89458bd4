interface ElementOptions {
  readonly className?: string;
  readonly text?: string;
  /** `auto` for words of the project, whose direction of reading may differ from the page's. */
  readonly dir?: 'auto';
}

/** An element with its content. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  { className = '', text, dir }: ElementOptions = {},
  ...children: readonly Node[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  if (className !== '') made.className = className;
  if (text !== undefined) made.textContent = text;
  if (dir !== undefined) made.dir = dir;
  made.append(...children);
  return made;
}

/** An element of the page's own HTML. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no ${id}`);
  return found;
}
