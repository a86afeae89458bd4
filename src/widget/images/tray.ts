import { nameButton } from '../nodes/icon-button.ts';
import { fill } from '../texts/widget-texts.ts';
import type { ComposedImage } from './composed-image.ts';
import type { FieldOptions, Taker } from './image-contract.ts';

/** The largest number of refused files that are named. */
const mostFaults = 4;

/** The pictures and files that go with the next message, as a list. */
export class Tray {
  readonly element = document.createElement('ul');
  readonly #options: FieldOptions;
  readonly #taker: Taker;
  images: readonly ComposedImage[] = [];
  /** Why the last files were not taken. Empty when all were taken. */
  fault = '';
  #waiting = 0;
  #adding: Promise<void> = Promise.resolve();

  constructor(taker: Taker, options: FieldOptions) {
    this.#options = options;
    this.#taker = taker;
    this.element.className = 'image-tray';
    // Screen readers announce a new picture by its name.
    this.element.setAttribute('aria-live', 'polite');
    this.show([]);
  }

  /** Whether pictures are being read. */
  get isBusy(): boolean {
    return this.#waiting > 0;
  }

  /** Takes files in their order. Each file is counted once it was read. */
  add(files: readonly File[]): Promise<void> {
    this.#waiting += 1;
    this.#options.onChange();
    this.#adding = this.#adding
      .then(() => this.#add(files))
      .finally(() => {
        this.#waiting -= 1;
        this.#options.onChange();
      });
    return this.#adding;
  }

  /** Shows these pictures in place of the current ones. */
  show(images: readonly ComposedImage[]): void {
    this.fault = '';
    this.#draw(images);
  }

  #draw(images: readonly ComposedImage[]): void {
    this.images = images;
    const { texts } = this.#options;
    this.element.setAttribute('aria-label', this.#taker.names(texts()).list);
    this.element.hidden = images.length === 0;
    this.element.replaceChildren(...images.map((image) => this.#item(image)));
  }

  async #add(files: readonly File[]): Promise<void> {
    const faults = new Set<string>();
    for (const file of files) {
      const taken = await this.#taker.take(file, { taken: this.images, texts: this.#options.texts() });
      if (typeof taken === 'string') faults.add(taken);
      else this.#draw([...this.images, taken]);
    }
    this.fault = [...[...faults].slice(0, mostFaults), ...(faults.size > mostFaults ? ['…'] : [])].join(' ');
  }

  #item(image: ComposedImage): HTMLElement {
    const item = document.createElement('li');
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = '×';
    nameButton(button, fill(this.#options.texts().removeImage, { name: image.name }));
    button.onclick = () => this.#remove(image);
    item.append(this.#taker.draw(image), button);
    return item;
  }

  /** Removes a picture and moves the focus to the picture that takes its place. */
  #remove(image: ComposedImage): void {
    const at = this.images.indexOf(image);
    this.show(this.images.filter((other) => other !== image));
    const buttons = this.element.querySelectorAll('button');
    const next = buttons[Math.min(at, buttons.length - 1)];
    if (next === undefined) this.#options.onLeft();
    else next.focus();
    this.#options.onChange();
  }
}
