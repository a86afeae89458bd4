import { elementOf, faultOf } from './card-fields.ts';
import type { CardField, FaultTexts } from './card-contract.ts';

export interface FieldMarkOptions {
  readonly box: Element;
  readonly fields: readonly CardField[];
  readonly texts: FaultTexts;
  /** Tells the fault of one card from that of another. */
  readonly idPrefix: string;
}

/** Marks the first field of a card that keeps it from being sent. The mark goes as soon as the field is mended. */
export class FieldMark {
  readonly #options: FieldMarkOptions;
  readonly #error = document.createElement('p');
  #marked: { readonly index: number; readonly input: HTMLElement | null } | null = null;

  constructor(options: FieldMarkOptions) {
    this.#options = options;
    this.#error.id = `${options.idPrefix}-fault`;
    this.#error.className = 'card-error';
    this.#error.dir = 'auto';
    this.#error.setAttribute('role', 'alert');
    options.box.addEventListener('input', () => {
      if (this.#marked !== null && this.#faultAt(this.#marked.index) === '') this.#clear();
    });
  }

  /** Whether every field can be sent; else the first that cannot has the focus, and says why. */
  passes(): boolean {
    this.#clear();
    const { box, fields } = this.#options;
    const index = fields.findIndex((_field, at) => this.#faultAt(at) !== '');
    if (index < 0) return true;
    const element = elementOf(box, index);
    // A group is no input itself: its first box stands for it.
    const input =
      element instanceof HTMLFieldSetElement ? element.querySelector('input') : (element as HTMLElement | null); // planned as HTML
    const choice = element?.closest('.choice');
    // Inside the label it would be part of the name.
    if (choice) choice.after(this.#error);
    else (element?.closest('.field') ?? box).append(this.#error);
    this.#error.textContent = this.#faultAt(index);
    input?.setAttribute('aria-invalid', 'true');
    input?.setAttribute('aria-describedby', this.#error.id);
    input?.focus();
    this.#marked = { index, input };
    return false;
  }

  #faultAt(index: number): string {
    const { box, fields, texts } = this.#options;
    const field = fields[index];
    return field === undefined ? '' : faultOf(elementOf(box, index), field, texts);
  }

  #clear(): void {
    this.#error.remove();
    this.#marked?.input?.removeAttribute('aria-invalid');
    this.#marked?.input?.removeAttribute('aria-describedby');
    this.#marked = null;
  }
}
