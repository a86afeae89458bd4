import { iconButton, nameButton } from '../nodes/icon-button.ts';
import type { RoomTexts } from './room-texts.ts';

const backPath = 'm14 6-6 6 6 6';

/** The keys, in the order in which they are of use. */
const keys = [
  [['Enter'], 'send'],
  [['Shift', 'Enter'], 'line'],
  [['↑'], 'last'],
  [['F6'], 'part'],
  [['PgUp', 'PgDn'], 'scroll'],
  [['Esc'], 'close'],
  [['?'], 'list'],
] as const;

/** The list of the keys, over the chat. While it is open, the chat behind it can neither be reached nor read. */
export class KeyList {
  readonly #dialog: HTMLElement;
  readonly #texts: () => RoomTexts;
  #element: HTMLElement | null = null;
  #opener: HTMLElement | null = null;

  constructor(dialog: HTMLElement, texts: () => RoomTexts) {
    this.#dialog = dialog;
    this.#texts = texts;
  }

  get #content(): HTMLElement | null {
    return this.#dialog.querySelector('.panel-content');
  }

  /** `opener` takes the focus when the list closes. */
  open(opener: HTMLElement): void {
    if (this.#element !== null) return;
    this.#opener = opener;
    const content = this.#content;
    if (content !== null) content.inert = true;
    this.#draw();
  }

  redraw(): void {
    if (this.#element !== null) this.#draw();
  }

  #draw(): void {
    const texts = this.#texts();
    const back = iconButton('back', backPath, () => this.#close());
    nameButton(back, texts.back);
    const heading = make('h2', texts.keys);
    heading.id = 'keys-heading';
    heading.tabIndex = -1;
    const top = make('div', back, heading);
    top.className = 'keys-top';
    const list = make(
      'dl',
      ...keys.flatMap(([names, what]) => [
        make('dt', ...names.flatMap((name, index) => [index === 0 ? '' : ' ', make('kbd', name)])),
        make('dd', texts[what]),
      ]),
    );
    const element = make('section', top, list);
    element.className = 'keys';
    element.setAttribute('role', 'dialog');
    element.setAttribute('aria-labelledby', heading.id);
    element.addEventListener('keydown', this.#press);
    this.#element?.remove();
    this.#element = element;
    this.#dialog.append(element);
    heading.focus();
  }

  #close(): void {
    this.#element?.remove();
    this.#element = null;
    const content = this.#content;
    if (content !== null) content.inert = false;
    this.#opener?.focus();
  }

  readonly #press = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' && event.key !== 'F6') return;
    // Without this, the key would also act on the panel.
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape' && !event.isComposing) this.#close();
  };
}

function make(tag: string, ...children: readonly (Node | string)[]): HTMLElement {
  const element = document.createElement(tag);
  element.append(...children);
  return element;
}
