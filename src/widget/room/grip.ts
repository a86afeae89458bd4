import { narrowest, widest } from './kept-size.ts';

/** CSS pixels by which a key changes the width. */
const step = 20;

/** The edge of the panel by which it is made wider and narrower, with the pointer or the arrow keys. */
export class Grip {
  readonly #dialog: HTMLElement;
  readonly #root: HTMLElement;
  readonly #onWidth: (width: number) => void;
  readonly #element = document.createElement('div');

  constructor(dialog: HTMLElement, root: HTMLElement, onWidth: (width: number) => void) {
    this.#dialog = dialog;
    this.#root = root;
    this.#onWidth = onWidth;
    const element = this.#element;
    element.className = 'grip';
    element.tabIndex = 0;
    for (const [name, value] of Object.entries({
      role: 'separator',
      'aria-orientation': 'vertical',
      'aria-valuemin': String(narrowest),
      'aria-valuemax': String(widest),
    }))
      element.setAttribute(name, value);
    element.addEventListener('pointerdown', this.#begin);
    element.addEventListener('keydown', this.#press);
    dialog.append(element);
  }

  name(label: string): void {
    this.#element.setAttribute('aria-label', label);
    this.#element.title = label;
  }

  /** Tells screen readers the present width. */
  tell(): void {
    this.#element.setAttribute('aria-valuenow', String(Math.round(this.#dialog.offsetWidth)));
  }

  remove(): void {
    this.#element.remove();
  }

  /** The panel grows to the left, unless it stands at the left edge of the window. */
  get #direction(): 1 | -1 {
    return /Left/.test(this.#root.className) ? 1 : -1;
  }

  readonly #begin = (event: PointerEvent): void => {
    const { offsetWidth } = this.#dialog;
    const { clientX, pointerId } = event;
    event.preventDefault();
    this.#element.setPointerCapture(pointerId);
    const end = new AbortController();
    const { signal } = end;
    const move = (moved: PointerEvent): void => this.#set(offsetWidth + this.#direction * (moved.clientX - clientX));
    this.#element.addEventListener('pointermove', move, { signal });
    for (const type of ['pointerup', 'pointercancel'] as const)
      this.#element.addEventListener(type, () => end.abort(), { signal });
  };

  readonly #press = (event: KeyboardEvent): void => {
    const by = event.key === 'ArrowLeft' ? -step : event.key === 'ArrowRight' ? step : 0;
    if (by === 0) return;
    event.preventDefault();
    this.#set(this.#dialog.offsetWidth + this.#direction * by);
  };

  #set(width: number): void {
    this.#onWidth(Math.round(Math.min(widest, Math.max(narrowest, width))));
  }
}
