import type { LauncherState } from '../widget-contract.ts';

/** The round button. A page shows nothing else of the widget until somebody wants to talk. */
export class Launcher {
  readonly button = document.createElement('button');
  readonly #shape = document.createElementNS(svg, 'path');

  constructor() {
    const icon = document.createElementNS(svg, 'svg');
    set(icon, { viewBox: '0 0 24 24' });
    icon.append(this.#shape);
    this.button.append(icon);
    set(this.button, { class: 'launcher', part: 'launcher' });
  }

  show({ isOpen, label }: LauncherState): void {
    set(this.#shape, { d: isOpen ? chevron : speechBubble });
    set(this.button, { 'aria-label': label, 'aria-expanded': String(isOpen) });
  }
}

const svg = 'http://www.w3.org/2000/svg';
const speechBubble = 'M5 4h14a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2h-7l-5 4v-4H5a2 2 0 0 1-2-2V6c0-1 1-2 2-2Z';
const chevron = 'm6 9 6 6 6-6';

function set(element: Element, attributes: Readonly<Record<string, string>>): void {
  for (const name in attributes) element.setAttribute(name, attributes[name] ?? '');
}
