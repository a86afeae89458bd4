import { iconButton, nameButton } from '../nodes/icon-button.ts';
import type { ComposedImage, SentImage } from './composed-image.ts';
import type { FieldOptions, ImageField, Taker } from './image-contract.ts';
import { Tray } from './tray.ts';

const arrivals = ['dragover', 'dragleave', 'drop', 'paste'] as const;

/** Takes pictures and files for the next message: picked with the button, pasted into the panel, or dropped on it. */
export class AttachmentField implements ImageField {
  readonly nodes: readonly Node[];
  readonly #options: FieldOptions;
  readonly #taker: Taker;
  readonly #tray: Tray;
  readonly #picker = document.createElement('input');
  readonly #button: HTMLButtonElement;

  constructor(taker: Taker, options: FieldOptions) {
    this.#options = options;
    this.#taker = taker;
    this.#tray = new Tray(taker, options);
    this.#button = iconButton('picture', taker.drawing, () => this.#picker.click());
    const picker = this.#picker;
    Object.assign(picker, { type: 'file', hidden: true, multiple: true, accept: taker.accept.join() });
    picker.onchange = () => {
      void this.#tray.add([...(picker.files ?? [])]);
      // Otherwise the browser reports no change when the same file is picked again.
      picker.value = '';
      options.onLeft();
    };
    this.nodes = [this.#tray.element, picker, this.#button];
    this.redraw();
    for (const type of arrivals) options.dialog.addEventListener(type, this);
  }

  get images(): readonly ComposedImage[] {
    return this.#tray.images;
  }

  get isBusy(): boolean {
    return this.#tray.isBusy;
  }

  get fault(): string {
    return this.#tray.fault;
  }

  show(images: readonly ComposedImage[]): void {
    this.#tray.show(images);
    this.#options.onChange();
  }

  sent(images: readonly SentImage[]): readonly Node[] {
    const list = document.createElement('ul');
    list.className = 'sent-images';
    for (const image of images) {
      const item = document.createElement('li');
      item.append(this.#taker.draw(image));
      list.append(item);
    }
    return [list];
  }

  redraw(): void {
    const { attach } = this.#taker.names(this.#options.texts());
    nameButton(this.#button, attach);
    this.#picker.setAttribute('aria-label', attach);
    this.#tray.show(this.images);
  }

  /** Takes files that are pasted or dropped. */
  handleEvent(event: Event): void {
    const { clipboardData, dataTransfer } = event as Partial<ClipboardEvent & DragEvent>; // the event is one of the two
    const isOver = event.type === 'dragover';
    const isFile = isOver && dataTransfer?.types.includes('Files') === true;
    this.#options.dialog.classList.toggle('is-dropping', isFile);
    // Spreadsheets and other programs paste a picture beside the text. The text is meant.
    if (clipboardData?.types.includes('text/plain') === true) return;
    const files = [...((clipboardData ?? dataTransfer)?.files ?? [])];
    if (isOver || files.length === 0) return;
    event.preventDefault();
    void this.#tray.add(files);
  }
}
