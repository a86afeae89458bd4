import type { Tour, TourStep } from '../../wire/tour.ts';
import { linkAttributes, safeLink } from '../nodes/safe-link.ts';
import { fill } from '../texts/widget-texts.ts';
import { findElement, isShown } from './find-element.ts';
import { placeCard } from './place-card.ts';
import type { ShownTour, TourOptions } from './tour-contract.ts';

const ringWidth = 6;

/** Shows the steps one by one. Meanwhile the page cannot be used, and the focus stays in the tour. */
export function showTour(tour: Tour, options: TourOptions): ShownTour {
  return new TourDialog(tour.steps, options);
}

class TourDialog implements ShownTour {
  readonly ended: Promise<void>;
  readonly #steps: readonly TourStep[];
  readonly #options: TourOptions;
  readonly #dialog = document.createElement('dialog');
  readonly #ring = make('div', 'tour-ring');
  readonly #card = make('div', 'tour-card');
  readonly #title = make('h2', 'tour-title');
  readonly #words = make('div', 'tour-words');
  readonly #count = make('span', 'tour-count');
  readonly #back: HTMLButtonElement;
  readonly #next: HTMLButtonElement;
  #index = 0;
  #target: Element | null = null;
  #shown = '';

  constructor(steps: readonly TourStep[], options: TourOptions) {
    this.#steps = steps;
    this.#options = options;
    const { texts, root } = options;
    this.#back = this.#button(texts.tourBack, '', () => this.#go(this.#index - 1));
    this.#next = this.#button(texts.tourNext, 'primary', () => this.#go(this.#index + 1));
    this.ended = new Promise((resolve) => {
      this.#dialog.addEventListener('close', () => {
        this.#dialog.remove();
        resolve();
      });
    });
    this.#build();
    root.append(this.#dialog);
    void this.#show();
  }

  end(): void {
    this.#dialog.close();
    // A dialog that was removed from the page sends no `close` event.
    if (!this.#dialog.isConnected) this.#dialog.dispatchEvent(new Event('close'));
  }

  #build(): void {
    const { texts } = this.#options;
    const dialog = this.#dialog;
    dialog.className = 'tour';
    dialog.lang = texts.locale;
    this.#title.id = 'tour-title';
    this.#words.id = 'tour-words';
    dialog.setAttribute('aria-labelledby', 'tour-title');
    dialog.setAttribute('aria-describedby', 'tour-words');
    // A step changes only the words, so that the focus stays on its button.
    const said = make('div', '');
    said.setAttribute('aria-live', 'polite');
    said.append(this.#title, this.#words);
    this.#card.part.add('tour');
    const end = this.#button(texts.tourEnd, 'tour-end', () => this.end());
    const buttons = make('div', 'tour-buttons');
    buttons.append(this.#count, this.#back, this.#next);
    this.#card.append(said, buttons, end);
    dialog.append(this.#ring, this.#card);
    dialog.addEventListener('keydown', (event) => this.#press(event));
    // Esc closes the dialog by itself. The page around must not see the event.
    dialog.addEventListener('cancel', (event) => event.stopPropagation());
  }

  #button(text: string, name: string, press: () => void): HTMLButtonElement {
    const button = make('button', `button ${name}`);
    button.type = 'button';
    button.textContent = text;
    button.addEventListener('click', press);
    return button;
  }

  #press(event: KeyboardEvent): void {
    // The page's keyboard shortcuts must not see the key.
    event.stopPropagation();
    const isRtl = getComputedStyle(this.#dialog).direction === 'rtl';
    const move = { ArrowRight: isRtl ? -1 : 1, ArrowLeft: isRtl ? 1 : -1 }[event.key];
    if (move === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    // Only the button ends the tour. Pressing the arrow key once too often does not.
    const index = this.#index + move;
    if (index < this.#steps.length) this.#go(index);
  }

  #go(index: number): void {
    if (index < 0) return;
    if (index >= this.#steps.length) {
      this.end();
      return;
    }
    this.#index = index;
    void this.#show();
  }

  async #show(): Promise<void> {
    const index = this.#index;
    const step = this.#steps[index];
    if (step === undefined) return;
    const target = await findElement(step.selector, () => this.#index === index && this.#dialog.isConnected);
    if (this.#index !== index || !this.#dialog.isConnected) return;
    this.#target = target;
    target?.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
    this.#write(step);
    if (!this.#dialog.open) {
      this.#dialog.showModal();
      this.#next.focus();
      this.#follow();
    }
  }

  #write(step: TourStep): void {
    const { texts } = this.#options;
    const total = this.#steps.length;
    this.#title.textContent = step.title;
    this.#title.dir = 'auto';
    const text = make('p', '');
    text.dir = 'auto';
    text.textContent = step.text;
    this.#words.replaceChildren(text, ...this.#link(step));
    this.#count.textContent = fill(texts.tourStep, { number: this.#index + 1, total });
    this.#next.textContent = this.#index + 1 === total ? texts.tourDone : texts.tourNext;
    // A button that hides while it has the focus would pass the focus to the page.
    if (this.#index === 0 && this.#back.matches(':focus')) this.#next.focus();
    this.#back.hidden = this.#index === 0;
    this.#shown = '';
    if (this.#dialog.open) this.#place();
  }

  #link({ url, ...step }: TourStep): Node[] {
    const address = url === undefined ? null : safeLink(url, this.#options.links);
    if (url === undefined || address === null || isHere(address)) return [];
    const label = fill(this.#options.texts.openPage, { page: step.title });
    const link = make('a', '');
    link.textContent = label;
    for (const [name, value] of Object.entries(linkAttributes(address))) link.setAttribute(name, value);
    link.addEventListener('click', (event) => {
      if (!this.#options.openPage({ ...step, url })) return;
      event.preventDefault();
      // A single-page application now shows the page of the step, so its element may exist.
      void this.#show();
    });
    return [link];
  }

  /** Follows the element, which moves whenever the page scrolls, loads or turns with the phone. */
  #follow(): void {
    if (!this.#dialog.open) return;
    this.#place();
    requestAnimationFrame(() => this.#follow());
  }

  #place(): void {
    const target = this.#target !== null && isShown(this.#target) ? this.#target : null;
    this.#dialog.classList.toggle('is-centred', target === null);
    if (target === null) return;
    const box = target.getBoundingClientRect();
    const card = this.#card.getBoundingClientRect();
    const screen = { width: this.#dialog.clientWidth, height: this.#dialog.clientHeight };
    const wanted = this.#steps[this.#index]?.placement;
    const { x, y } = placeCard(box, { card, screen, wanted });
    const now = [box.x, box.y, box.width, box.height, x, y].map(Math.round).join(' ');
    if (now === this.#shown) return;
    this.#shown = now;
    move(this.#card, { left: x, top: y });
    move(this.#ring, {
      left: box.x - ringWidth,
      top: box.y - ringWidth,
      width: box.width + 2 * ringWidth,
      height: box.height + 2 * ringWidth,
    });
  }
}

function isHere(address: string): boolean {
  const [there, here] = [new URL(address, document.baseURI), location];
  return there.origin === here.origin && there.pathname === here.pathname && there.search === here.search;
}

/** Sets the lengths through the object model. A `style` attribute would need permission of the page's Content-Security-Policy. */
function move({ style }: HTMLElement, lengths: Readonly<Record<string, number>>): void {
  for (const [name, length] of Object.entries(lengths)) style.setProperty(name, `${Math.round(length)}px`);
}

function make<Name extends keyof HTMLElementTagNameMap>(name: Name, className: string): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  element.className = className;
  return element;
}
