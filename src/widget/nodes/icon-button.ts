import { createNode } from './create-node.ts';

/** A button that shows a drawing (an SVG path) and calls `press`. `nameButton` gives it its name. */
export function iconButton(icon: string, path: string, press: () => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'icon-button';
  button.onclick = press;
  const attributes = { class: `icon icon-${icon}`, viewBox: '0 0 24 24', 'aria-hidden': 'true' };
  button.append(createNode({ tag: 'svg', attributes, children: [{ tag: 'path', attributes: { d: path } }] }));
  return button;
}

/** Names a button for screen readers and for the pointer. */
export function nameButton(button: HTMLButtonElement, name: string): void {
  button.title = name;
  button.setAttribute('aria-label', name);
}
