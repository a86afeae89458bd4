import { nameButton } from '../nodes/icon-button.ts';
import { fill } from '../texts/widget-texts.ts';
import { composeImage } from './compose-image.ts';
import { drawThumbnail } from './draw-thumbnail.ts';
import type { ComposedImage } from './composed-image.ts';
import type { ImageFieldOptions } from './image-contract.ts';

/** The largest number of refused files that are named. */
const mostFaults = 4;

/** The pictures that go with the next message, as a list. */
export class Tray {
  readonly element = document.createElement('ul');
  readonly #options: ImageFieldOptions;
  images: readonly ComposedImage[] = [];
  /** Why the last files were not taken. Empty when all were taken. */
  fault = '';
  #waiting = 0;
  #adding: Promise<void> = Promise.resolve();

  constructor(options: ImageFieldOptions) {
    this.#options = options;
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
    this.element.setAttribute('aria-label', texts().images);
    this.element.hidden = images.length === 0;
    this.element.replaceChildren(...images.map((image) => this.#item(image)));
  }

  async #add(files: readonly File[]): Promise<void> {
    const { limits, texts } = this.#options;
    const faults: string[] = [];
    for (const file of files) {
      if (this.images.length >= limits.maxCount) {
        faults.push(fill(texts().tooManyImages, { max: limits.maxCount }));
        break;
      }
      const composed = await composeImage(file, limits).catch(() => 'notAnImage' as const);
      if (typeof composed === 'string') {
        const max = Math.max(0.01, Number((limits.maxBytes / 1024 / 1024).toFixed(2)));
        const { imageTooLarge, notAnImage } = texts();
        const refusal = composed === 'notAnImage' ? notAnImage : imageTooLarge;
        faults.push(fill(refusal, { name: file.name, max }));
      } else this.#draw([...this.images, composed]);
    }
    this.fault = [...faults.slice(0, mostFaults), ...(faults.length > mostFaults ? ['…'] : [])].join(' ');
  }

  #item(image: ComposedImage): HTMLElement {
    const item = document.createElement('li');
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = '×';
    nameButton(button, fill(this.#options.texts().removeImage, { name: image.name }));
    button.onclick = () => this.#remove(image);
    item.append(drawThumbnail(image), button);
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
